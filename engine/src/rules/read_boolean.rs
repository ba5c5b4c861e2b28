//! Reads a boolean that was sent as its text, in any case.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::policy::Grade;
use crate::spelling;

pub(super) const RULE: Rule = Rule {
    id: "schema.read-boolean",
    fires: "`true` or `false` as text, in any case, stands where the boolean belongs",
    note: "Read `{field}` from text: send true or false itself.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[Example {
        schema: r#"{"type":"object","properties":{"literal":{"type":"boolean"}}}"#,
        before: r#"{"literal":"True"}"#,
        after: r#"{"literal":true}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    match spelling::read_scalar(text, site.node.types()) {
        Some(value) if value.is_boolean() => {
            let mut edit = Edit::replace(site, value);
            edit.spelling = true;
            Proposal::Edit(edit)
        }
        _ => Proposal::Nothing,
    }
}
