//! Takes the arguments out of a wrapper that repeats the call around them.

use serde_json::{Map, Value};

use super::{Edit, Example, Proposal, Rule, Scope, Site, TextRead};
use crate::policy::Grade;
use crate::schema::Node;
use crate::{Reason, plain};

pub(super) const RULE: Rule = Rule {
    id: "envelope.unwrap-arguments",
    fires: "the arguments stand inside a wrapper the schema does not declare",
    note: "Took the arguments out of a wrapper: send the fields at the top level.",
    grade: Grade::Exact,
    scope: Scope::RootEvenIfValid,
    examples: &[
        Example {
            schema: r#"{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}"#,
            before: r#"{"arguments":{"city":"Oslo"}}"#,
            after: r#"{"city":"Oslo"}"#,
        },
        Example {
            schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
            before: r#"{"name":"example","arguments":{"path":"src"}}"#,
            after: r#"{"path":"src"}"#,
        },
    ],
    propose,
};

/// Members under which servers and models put the arguments.
pub(crate) const WRAPPERS: &[&str] =
    &["arguments", "input", "args", "parameters", "params", "tool_input", "function"];

/// Members that name the tool; beside a wrapper they must name this one.
pub(crate) const NAMES: &[&str] = &["name", "tool", "tool_name", "toolName"];

/// Members that say nothing about the call.
const LABELS: &[(&str, &[&str])] = &[("type", &["function", "tool_use", "tool_call", "toolCall"])];

fn propose(site: &Site<'_>) -> Proposal {
    let Value::Object(members) = site.value else { return Proposal::Nothing };
    let Some((key, inner)) = wrapped(members) else { return Proposal::Nothing };
    if site.node.declares(key) || !holds_arguments(inner) {
        return Proposal::Nothing;
    }
    let valid = site.tool.schema().validator().is_valid(site.value);
    if valid && !is_ignored(site, inner) {
        return Proposal::Nothing;
    }
    for (name, value) in members.iter().filter(|(name, _)| *name != key) {
        if site.node.declares(name) {
            return Proposal::Nothing;
        }
        if !repeats_call(name, value, site.tool.name()) {
            return Proposal::Refuse(Reason::AmbiguousEnvelope(site.pointer.child(name)));
        }
    }
    Proposal::Edit(Edit::replace(site, inner.clone()))
}

/// True if `root` is a wrapper around the arguments, so that nothing beside it is an argument.
pub(crate) fn wraps_call(node: &Node<'_>, root: &Value) -> bool {
    let Value::Object(members) = root else { return false };
    wrapped(members).is_some_and(|(key, inner)| !node.declares(key) && holds_arguments(inner))
}

/// The one member that may be a wrapper.
fn wrapped(members: &Map<String, Value>) -> Option<(&'static str, &Value)> {
    if members.len() > 4 {
        return None;
    }
    let mut found = WRAPPERS.iter().filter_map(|key| Some((*key, members.get(*key)?)));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// An object, or the text of one.
fn holds_arguments(inner: &Value) -> bool {
    match inner {
        Value::Object(_) => true,
        Value::String(text) => plain::looks_like_json(text),
        _ => false,
    }
}

/// True if the tool would run without the wrapped fields: some of them are the tool's, under any
/// name, and the schema says nothing about other members.
fn is_ignored(site: &Site<'_>, inner: &Value) -> bool {
    let own = site.value.as_object().is_some_and(|members| declares_any(site, members, false));
    if own || site.node.opens_members() {
        return false;
    }
    match inner {
        Value::Object(members) => declares_any(site, members, true),
        Value::String(text) => match site.read(text) {
            TextRead::Json(reading) => {
                reading.value.as_object().is_some_and(|members| declares_any(site, members, true))
            }
            // Out of reach is not out of the question: the decoding itself names the limit.
            TextRead::Refused(Reason::OverLimit(_)) => true,
            _ => false,
        },
        _ => false,
    }
}

/// True if a member is a field of the tool or another name of one, or, inside, another wrapper.
fn declares_any(site: &Site<'_>, members: &Map<String, Value>, inside: bool) -> bool {
    let entries = site.tool.preprocessors();
    let aliased =
        |key: &str| entries.iter().any(|entry| entry.aliases.iter().any(|name| name == key));
    members.keys().any(|key| {
        site.node.properties().any(|name| name == key)
            || (inside && (WRAPPERS.contains(&key.as_str()) || aliased(key)))
    })
}

/// True for a member that only repeats which call this is.
fn repeats_call(name: &str, value: &Value, tool: &str) -> bool {
    let Some(text) = value.as_str() else { return false };
    let named = NAMES.contains(&name) && text == tool;
    let label = LABELS.iter().any(|(key, values)| *key == name && values.contains(&text));
    named || label || name == "id"
}
