//! Reads a list or object that was sent as its text.

use serde_json::Value;

use super::{Example, Proposal, Rule, Scope, Site, TextRead};
use crate::plain;
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "schema.read-json-text",
    fires: "the text of a list or object stands where the list or object belongs",
    note: "Read `{field}` from text: send the value itself, not its text.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[
        Example {
            schema: r#"{"type":"object","properties":{"include":{"type":"array","items":{"type":"string"}}}}"#,
            before: r#"{"include":"[\"a\",\"b\"]"}"#,
            after: r#"{"include":["a","b"]}"#,
        },
        Example {
            schema: r#"{"type":"object","properties":{"settings":{"type":"object"}}}"#,
            before: r#"{"settings":"{'theme': 'dark', 'wrap': True}"}"#,
            after: r#"{"settings":{"theme":"dark","wrap":true}}"#,
        },
    ],
    propose,
};

/// A text that begins as JSON and cannot be read is refused, so that no later rule wraps it.
fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    let types = site.node.types();
    if types.string() || !(types.array() || types.object()) || !plain::looks_like_json(text) {
        return Proposal::Nothing;
    }
    match site.read(text) {
        TextRead::Json(reading) => {
            let fits = match &reading.value {
                Value::Array(items) => types.array() || items.len() == 1,
                Value::Object(_) | Value::String(_) => true,
                _ => false,
            };
            if fits { Proposal::Edit(site.put_reading(reading)) } else { Proposal::Nothing }
        }
        TextRead::NotJson => Proposal::Nothing,
        TextRead::Refused(reason) => Proposal::Refuse(reason),
    }
}
