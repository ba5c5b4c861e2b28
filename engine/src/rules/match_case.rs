//! Spells a choice as the schema spells it, where only the case differs.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "schema.match-case",
    fires: "a text equals exactly one of the declared choices but for case",
    note: "Respelled `{field}`: choices are spelled as the schema lists them.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[Example {
        schema: r#"{"type":"object","properties":{"status":{"enum":["pending","done"]}}}"#,
        before: r#"{"status":"Done"}"#,
        after: r#"{"status":"done"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    let folded = text.to_lowercase();
    let choices = site.node.choices();
    let mut matching: Vec<&str> = choices
        .iter()
        .filter_map(|choice| choice.as_str())
        .filter(|choice| choice.to_lowercase() == folded)
        .collect();
    matching.dedup();
    match matching.as_slice() {
        [choice] if *choice != text => Proposal::Edit(Edit::replace(site, Value::from(*choice))),
        _ => Proposal::Nothing,
    }
}
