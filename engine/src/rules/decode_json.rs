//! Arguments that arrived as text are read as JSON.

use serde_json::Value;

use super::{Example, Proposal, Rule, Scope, Site, TextRead};
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "envelope.decode-json",
    fires: "the whole arguments are a text that holds JSON",
    note: "Read the arguments from text: send the object itself, not its text.",
    grade: Grade::Exact,
    scope: Scope::Root,
    examples: &[Example {
        schema: r#"{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}"#,
        before: r#""{\"city\":\"Oslo\"}""#,
        after: r#"{"city":"Oslo"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    if site.node.types().string() {
        return Proposal::Nothing;
    }
    match site.read(text) {
        TextRead::Json(reading) if reading.value.is_number() || reading.value.is_boolean() => {
            Proposal::Nothing
        }
        TextRead::Json(reading) => Proposal::Edit(site.put_reading(reading)),
        TextRead::NotJson => Proposal::Nothing,
        TextRead::Refused(_) if site.tool.takes_bare(text) => Proposal::Nothing,
        TextRead::Refused(reason) => Proposal::Refuse(reason),
    }
}
