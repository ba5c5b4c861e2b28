//! Names of tools as models write them.

use std::sync::OnceLock;

use engine::names::{EXAMPLE_ALIASES, NAME_RULES};
use engine::{Context, Outcome, Registry, Tool, builtin};
use serde_json::{Value, json};

use super::raw::{Raw, require, verdicts};
use super::{Target, hold};
use crate::area::{Spent, Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "names",
    says: "Text: the name of a tool as a model wrote it, arguments and residue included.",
    area: "arguments",
    run,
    seeds,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("names", "arguments", run(data, Wanted::default()));
}

const RESOLVES: &str = "names_resolve_to_registered_tools";

fn run(data: &[u8], _: Wanted<'_>) -> Option<Trial> {
    let name = String::from_utf8_lossy(data);
    let found = held(&name);
    Some(Trial {
        case: Box::new(Raw(data.to_vec())),
        verdicts: verdicts(RESOLVES, found),
        seen: None,
        miss: None,
        spent: Spent::default(),
        shown: vec![("resolved", format!("{:?}", registry().resolve_name(&name)))],
    })
}

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
        let registry = Registry::new(tools).expect("the names differ");
        let known = EXAMPLE_ALIASES.iter().filter(|(_, name)| builtin::TOOLS.contains(name));
        known.fold(registry, |registry, (alias, name)| registry.with_alias(alias, name))
    })
}

fn held(name: &str) -> Result<(), (&'static str, String)> {
    let registry = registry();
    let first = registry.resolve_name(name);
    let again = registry.resolve_name(name);
    let same = format!("{first:?}") == format!("{again:?}");
    require(same, "same_input_same_outcome", || "asked again, another tool is found".into())?;
    if let Ok(found) = &first {
        let registered = registry.tool(&found.tool).is_some();
        require(registered, RESOLVES, || format!("`{}` is not registered", found.tool))?;
        let exact = registry.tool(name).is_some();
        require(exact == found.rules.is_empty(), RESOLVES, || {
            format!("{} rules led to `{}`", found.rules.len(), found.tool)
        })?;
        require(is_written_in(&found.tool, name), RESOLVES, || {
            format!("`{}` is not written in the name", found.tool)
        })?;
    }
    called(name, &json!({}))?;
    called(name, &json!({"path": "a", "command": "ls"}))
}

/// True if the tool's name or an alias of it stands in the text, whatever its case.
fn is_written_in(tool: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let mut aliases = EXAMPLE_ALIASES.iter().filter(|(_, of)| *of == tool).map(|(alias, _)| *alias);
    name.contains(tool) || aliases.any(|alias| name.contains(&alias.to_lowercase())) || {
        // A name inside JSON may be spelled in escapes.
        name.contains("\\u")
    }
}

fn called(name: &str, args: &Value) -> Result<(), (&'static str, String)> {
    let call = registry().repair_call(name, args, &Context::default());
    match (call.tool, &call.outcome) {
        (None, Outcome::Unrepairable(_)) => Ok(()),
        (None, other) => {
            Err((RESOLVES, format!("no tool is found, and the call is {}", other.name())))
        }
        (Some(tool), Outcome::Repaired { args, .. }) => {
            let accepts = registry().tool(tool).is_some_and(|tool| tool.accepts(args));
            require(accepts, "repaired_passes_second_validator", || format!("{tool} {args}"))
        }
        (Some(_), _) => Ok(()),
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let examples = NAME_RULES.iter().flat_map(|rule| rule.examples).map(|example| example.name);
    let real = corpus::cases(corpus::Area::ToolNames).unwrap_or_default();
    let real = real.into_iter().filter_map(|case| match case.input {
        corpus::CaseInput::Text(text) | corpus::CaseInput::Raw(text) => Some(text),
        corpus::CaseInput::Value(value) => value.as_str().map(str::to_owned),
    });
    examples.map(str::to_owned).chain(real).map(String::into_bytes).collect()
}
