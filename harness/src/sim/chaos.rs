//! Scripts made of the stored failures: every malformed call through the whole loop.
//!
//! A script holds many cases, each a prompt of its own, answered by the broken message and then by
//! `done`. They lie in `corpus/data/scripts` as `chaos-…`; a test holds the two together.

use std::collections::BTreeMap;

use corpus::{Area, Case, CaseInput, CorpusError, Script, Trace, parse_script};
use serde_json::{Value, json};

/// One script, and the cases it is made of, a prompt each.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The script, as its file says it.
    pub page: Value,
    /// The same, read.
    pub script: Script,
    /// The cases, in the order of the prompts.
    pub cases: Vec<Case>,
    /// The provider the cases are about, where they are about one.
    pub provider: Option<String>,
}

/// What cases must share to share a script.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Kind {
    name: &'static str,
    /// The only case, where it may end a prompt or go on with it.
    only: Option<String>,
    provider: Option<String>,
    /// The active tools, where the case is about their names.
    active: Option<Vec<String>>,
}

/// A script that is being filled.
#[derive(Default)]
struct Draft {
    cases: Vec<Case>,
    tools: BTreeMap<String, Value>,
}

/// The scripts for these cases; provider errors are none of theirs.
///
/// # Errors
///
/// None, as long as this keeps to the format; a test says so.
pub fn plans(cases: &[Case]) -> Result<Vec<Plan>, CorpusError> {
    let mut drafts: BTreeMap<Kind, Vec<Draft>> = BTreeMap::new();
    for case in cases {
        let Some(kind) = kind(case) else { continue };
        let tools = tools(case);
        let open = drafts.entry(kind).or_default();
        let fits = |draft: &Draft| {
            tools
                .iter()
                .all(|(name, schema)| draft.tools.get(name).is_none_or(|other| other == schema))
        };
        let at = open.iter().position(fits).unwrap_or_else(|| {
            open.push(Draft::default());
            open.len() - 1
        });
        open[at].tools.extend(tools);
        open[at].cases.push(case.clone());
    }
    let mut plans = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (kind, drafts) in drafts {
        for draft in drafts {
            let number = numbers.entry(kind.name).or_default();
            *number += 1;
            plans.push(plan(&kind, draft, *number)?);
        }
    }
    Ok(plans)
}

fn kind(case: &Case) -> Option<Kind> {
    let names = case.active_tools().into_iter().map(str::to_owned).collect();
    let (name, active) = match (case.area, &case.input) {
        (Area::Arguments, CaseInput::Raw(_)) => ("chaos-texts", None),
        (Area::Arguments, _) => ("chaos-values", None),
        (Area::ToolNames, _) => ("chaos-names", Some(names)),
        (Area::Leaks, _) => ("chaos-leaks", Some(names)),
        (Area::ProviderErrors, _) => return None,
    };
    // The real pi cannot hand out a trace with half a surrogate pair, so that one stands alone.
    let halved = matches!(&case.input, CaseInput::Raw(text) if is_halved(text));
    let only = (case.area == Area::Leaks || halved).then(|| case.id.clone());
    Some(Kind { name, only, provider: case.context.provider.clone(), active })
}

/// Whether JSON text is spoilt by half a surrogate pair.
fn is_halved(text: &str) -> bool {
    let read = serde_json::from_str::<Value>(text);
    read.is_err_and(|error| error.to_string().contains("hex escape"))
}

fn tools(case: &Case) -> BTreeMap<String, Value> {
    let schema = |name: &str| case.schema_of(name).cloned();
    let open = || json!({"type": "object"});
    let row = |name: &str| (name.to_owned(), schema(name).unwrap_or_else(open));
    case.active_tools().into_iter().map(row).collect()
}

fn plan(kind: &Kind, draft: Draft, number: usize) -> Result<Plan, CorpusError> {
    let Draft { cases, tools } = draft;
    let mut models: Vec<&str> = Vec::new();
    let (mut turns, mut actions) = (Vec::new(), Vec::new());
    for case in &cases {
        let model = case.model.as_deref().unwrap_or("unspecified");
        if !models.contains(&model) {
            models.push(model);
        }
        actions.extend([
            json!({"do": "model", "id": model}),
            json!({"do": "prompt", "text": case.id}),
        ]);
        turns.extend([turn(case), json!({"content": [{"type": "text", "text": "done"}]})]);
    }
    let rows = tools.iter().map(|(name, schema)| json!({"name": name, "parameters": schema}));
    let is_wired = kind.name == "chaos-texts";
    let page = json!({
        "format": 1,
        "says": "Stored failures through the whole loop, a prompt each; made by `pi-drift chaos`.",
        "api": if is_wired { "openai-completions" } else { "scripted" },
        "models": models.iter().map(|id| json!({"id": id})).collect::<Vec<_>>(),
        "tools": rows.collect::<Vec<_>>(),
        "active": tools.keys().collect::<Vec<_>>(),
        "turns": turns, "actions": actions,
    });
    let name = match &kind.only {
        Some(case) => format!("chaos-{case}"),
        None => format!("{}-{number}", kind.name),
    };
    let script = parse_script(&name, &page.to_string())?;
    Ok(Plan { page, script, cases, provider: kind.provider.clone() })
}

/// The broken message.
fn turn(case: &Case) -> Value {
    let block = match (case.area, &case.input) {
        (Area::Arguments, CaseInput::Raw(text)) => {
            json!({"type": "call", "name": case.tool, "raw": text})
        }
        (Area::Arguments, CaseInput::Value(args)) => {
            json!({"type": "call", "name": case.tool, "arguments": args})
        }
        (_, CaseInput::Value(call)) => {
            json!({"type": "call", "name": call["name"], "arguments": call["arguments"]})
        }
        (_, CaseInput::Text(text) | CaseInput::Raw(text)) => json!({"type": "text", "text": text}),
    };
    let mut content = vec![block];
    for _ in 0..case.context.native_calls() {
        let call = json!({"type": "call", "name": case.tool, "arguments": {}});
        content.push(call);
    }
    let mut turn = json!({"content": content});
    if let Some(stop) = &case.context.stop_reason {
        turn["stop"] = json!(stop);
    }
    turn
}

/// What each prompt of a trace had executed, as `{name, arguments}`.
pub fn executed(trace: &Trace) -> Vec<Vec<Value>> {
    let mut prompts: Vec<Vec<Value>> = Vec::new();
    for event in &trace.events {
        match event.label().split(' ').next() {
            Some("U:prompt") => prompts.push(Vec::new()),
            Some("T:execute") => {
                let args = event.saw.as_ref().map(|saw| saw["args"].clone());
                let call = json!({"name": event.what, "arguments": args});
                if let Some(last) = prompts.last_mut() {
                    last.push(call);
                }
            }
            _ => {}
        }
    }
    prompts
}
