//! Takes the arguments out of a list of one.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::plain;
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "envelope.unwrap-list",
    fires: "the arguments stand alone in a list",
    note: "Took the arguments out of a list: send the object itself.",
    grade: Grade::Exact,
    scope: Scope::Root,
    examples: &[Example {
        schema: r#"{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}"#,
        before: r#"[{"city":"Oslo"}]"#,
        after: r#"{"city":"Oslo"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let types = site.node.types();
    let Value::Array(items) = site.value else { return Proposal::Nothing };
    let [item] = items.as_slice() else { return Proposal::Nothing };
    let arguments = item.is_object() || item.as_str().is_some_and(plain::looks_like_json);
    if arguments && types.object() && !types.array() {
        return Proposal::Edit(Edit::replace(site, item.clone()));
    }
    Proposal::Nothing
}
