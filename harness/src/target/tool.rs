//! Tools as extensions register them: any schema and configuration is compiled or refused.

use engine::{Context, Outcome, Tool, ToolConfig, ToolSpec, replay};
use serde_json::Value;

use super::raw::{Raw, require, verdicts};
use super::seeds::tool_pages;
use super::{Target, hold};
use crate::area::{Spent, Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "tool",
    says: "Text: a JSON object of a tool's `schema`, its `config`, and `args` for it.",
    area: "arguments",
    run,
    seeds: tool_pages,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("tool", "arguments", run(data, Wanted::default()));
}

fn run(data: &[u8], _: Wanted<'_>) -> Option<Trial> {
    let page: Value = serde_json::from_slice(data).ok()?;
    let schema = page.get("schema")?.clone();
    let args = page.get("args").cloned().unwrap_or_default();
    let config = page.get("config").cloned().unwrap_or_default();
    let found = held(schema, &config, &args);
    Some(Trial {
        case: Box::new(Raw(data.to_vec())),
        verdicts: verdicts("nothing_panics", found),
        seen: None,
        miss: None,
        spent: Spent::default(),
        shown: Vec::new(),
    })
}

fn held(schema: Value, config: &Value, args: &Value) -> Result<(), (&'static str, String)> {
    let Ok(config) = ToolConfig::from_json(config) else { return Ok(()) };
    let spec = ToolSpec { name: "made".to_owned(), schema, config, ..ToolSpec::default() };
    let Ok(tool) = Tool::compile(spec) else { return Ok(()) };
    let context = Context::default();
    let outcome = tool.repair(args, &context);
    let again = tool.repair(args, &context);
    let same = format!("{outcome:?}") == format!("{again:?}");
    require(same, "same_input_same_outcome", || "asked again, it answers differently".into())?;
    match outcome {
        Outcome::Valid(back) => {
            let fits = tool.accepts(args) && std::ptr::eq(back, args);
            require(fits, "accepted_means_valid", || "what is valid is not accepted".into())
        }
        Outcome::Repaired { args: made, changes, .. } => {
            require(tool.accepts(&made), "repaired_passes_second_validator", || made.to_string())?;
            let replayed = replay(args.clone(), &changes);
            require(replayed.as_ref() == Ok(&made), "changes_replay_to_args", || {
                format!("{replayed:?}, not {made}")
            })?;
            let last = tool.repair(&made, &context);
            let settled = matches!(last, Outcome::Valid(_));
            require(settled, "repairing_a_repair_is_valid", || {
                format!("{made} is {} when given back", last.name())
            })
        }
        Outcome::Deferred(_) | Outcome::Unrepairable(_) => Ok(()),
    }
}
