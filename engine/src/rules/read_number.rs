//! Reads a number that was sent as its text.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::policy::Grade;
use crate::spelling;

pub(super) const RULE: Rule = Rule {
    id: "schema.read-number",
    fires: "the exact text of a number stands where the number belongs",
    note: "Read `{field}` from text: send the number itself.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[Example {
        schema: r#"{"type":"object","properties":{"limit":{"type":"integer"}}}"#,
        before: r#"{"limit":"80"}"#,
        after: r#"{"limit":80}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    match spelling::read_scalar(text, site.node.types()) {
        Some(value) if value.is_number() => {
            let mut edit = Edit::replace(site, value);
            edit.spelling = text.trim() == text;
            Proposal::Edit(edit)
        }
        _ => Proposal::Nothing,
    }
}
