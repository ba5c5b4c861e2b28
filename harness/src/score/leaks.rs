//! Calls that models printed as text: what runs, and what is left of the text.

use corpus::{Case, CaseInput, Expect};
use engine::grammar::{Action, Grammar, GrammarConfig, Message, Promoted, Treatment, treat};
use engine::host::HostProfile;
use engine::{Registry, same_value};
use serde_json::{Value, json};

use super::{ScoreError, Verdict, compile, context, fault, host_runs};

/// Channels of a message whose text the user is shown; the others are never touched.
const CHANNELS: &[&str] = &["text", "content", "final"];

/// Treats the text of a case; a call that nobody wanted, and a change to what must stay, are wrong.
pub(super) fn judge(
    case: &Case,
    host: Option<HostProfile>,
) -> Result<(Verdict, Value), ScoreError> {
    let CaseInput::Text(text) = &case.input else {
        return Err(fault(case, "holds no leaked text", "give `input_kind` `text` and `text`"));
    };
    let registry = registry(case, host)?;
    let mode = case.context.mode().parse().map_err(|error: engine::ConfigError| {
        fault(case, &format!("has an unknown mode: {error}"), "mend `context.mode`")
    })?;
    let config = GrammarConfig { mode: Some(mode), ..GrammarConfig::default() };
    let grammar = Grammar::new(config)
        .map_err(|error| fault(case, &error.to_string(), "report it: families are built in"))?;
    let shown = case.context.channel.as_deref().is_none_or(|name| CHANNELS.contains(&name));
    let texts = if shown { vec![text.as_str()] } else { Vec::new() };
    let message = Message {
        assistant: case.context.role() == "assistant",
        texts: &texts,
        native_calls: usize::try_from(case.context.native_calls()).unwrap_or(usize::MAX),
        active: None,
    };
    let treatment = treat(&message, &grammar, &registry, &context(case)?);
    let calls: Vec<Value> = treatment.calls.iter().map(|call| executed(&registry, call)).collect();
    Ok((verdict(case, text, &treatment, &calls), shown_as(&treatment, text, &calls)))
}

fn registry(case: &Case, host: Option<HostProfile>) -> Result<Registry, ScoreError> {
    let mut tools = Vec::new();
    for name in case.active_tools() {
        let open = || json!({"type": "object"});
        let schema = case.schema_of(name).cloned().unwrap_or_else(open);
        tools.push(compile(case, name, schema, host)?);
    }
    Registry::new(tools).map_err(|error| fault(case, &error.to_string(), "name each tool once"))
}

/// The call as the host executes it.
fn executed(registry: &Registry, call: &Promoted) -> Value {
    let tool = registry.tool(&call.tool);
    let converted = tool.filter(|tool| !tool.accepts(&call.args));
    let args = converted.and_then(|tool| host_runs(tool, &call.args));
    json!({"name": call.tool, "arguments": args.unwrap_or_else(|| call.args.clone())})
}

fn kind(treatment: &Treatment) -> Expect {
    match treatment {
        Treatment { calls, .. } if !calls.is_empty() => Expect::Recover,
        Treatment { texts, .. } if texts.iter().any(Option::is_some) => Expect::Strip,
        _ => Expect::Valid,
    }
}

fn verdict(case: &Case, text: &str, treatment: &Treatment, calls: &[Value]) -> Verdict {
    let kind = kind(treatment);
    let accepted = case.accept.contains(&kind);
    if kind == Expect::Valid {
        return match case.expect {
            Expect::Valid => Verdict::Right,
            _ if accepted => Verdict::Allowed,
            _ => Verdict::Refused,
        };
    }
    let fits = |wanted: Option<&Value>| {
        let calls_fit = kind == Expect::Strip || has_calls(wanted, calls);
        calls_fit && has_text(wanted, text, treatment)
    };
    let expected = case.expected_value.as_ref();
    if case.expect == kind && fits(expected) {
        return Verdict::Right;
    }
    let other = case.accept_value.as_ref().filter(|_| kind == Expect::Recover);
    if accepted && fits(other.or(expected)) {
        return Verdict::Allowed;
    }
    // Removed, but not run although it should: nothing that nobody wanted has happened.
    let withheld = kind == Expect::Strip && case.expect == Expect::Recover;
    if withheld && fits(expected) { Verdict::Refused } else { Verdict::Wrong }
}

fn has_calls(wanted: Option<&Value>, calls: &[Value]) -> bool {
    let wanted = wanted.and_then(|value| value.get("calls")).and_then(Value::as_array);
    wanted.is_some_and(|wanted| {
        wanted.len() == calls.len() && wanted.iter().zip(calls).all(|(a, b)| same_value(a, b))
    })
}

/// True if the wanted text is what is left, apart from white space that touches a removed range.
fn has_text(wanted: Option<&Value>, text: &str, treatment: &Treatment) -> bool {
    let Some(wanted) = wanted.and_then(|value| value.get("text")).and_then(Value::as_str) else {
        return true;
    };
    let ours = treatment.texts.first().and_then(Option::as_deref).unwrap_or(text);
    let mut kept = vec![text];
    for leak in treatment.leaks.iter().rev().filter(|leak| leak.action >= Action::Removed) {
        let first = kept.pop().unwrap_or_default();
        let (before, rest) = first.split_at(leak.range.start);
        let (_, after) = rest.split_at(leak.range.len());
        kept.extend([after, before]);
    }
    kept.reverse();
    let holds = |whole: &str| {
        let rest =
            kept.iter().try_fold(whole, |rest, piece| rest.trim_start().strip_prefix(piece.trim()));
        rest.is_some_and(|rest| rest.trim().is_empty())
    };
    holds(wanted) && holds(ours)
}

/// The outcome as data.
fn shown_as(treatment: &Treatment, text: &str, calls: &[Value]) -> Value {
    let name = match kind(treatment) {
        Expect::Recover => "recover",
        Expect::Strip => "strip",
        _ => "valid",
    };
    let leak = |leak: &engine::grammar::Handled| {
        let why: Vec<&str> = leak.closed.iter().chain(&leak.refused).copied().collect();
        format!("{} {} {} {}", leak.family, leak.state.name(), leak.action.name(), why.join(" "))
    };
    let leaks: Vec<String> = treatment.leaks.iter().map(leak).collect();
    let left = treatment.texts.first().and_then(Option::as_deref).unwrap_or(text);
    json!({
        "outcome": name,
        "reason": if leaks.is_empty() { "nothing found".to_owned() } else { leaks.join("; ") },
        "calls": calls,
        "text": left,
    })
}
