//! Takes a value out of a list of one, where no list belongs.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::policy::Grade;
use crate::schema::Types;

pub(super) const RULE: Rule = Rule {
    id: "schema.unwrap-item",
    fires: "a list of one stands where its item belongs",
    note: "Took `{field}` out of a list: send the value itself.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[Example {
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        before: r#"{"path":["/x"]}"#,
        after: r#"{"path":"/x"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let types = site.node.types();
    let Value::Array(items) = site.value else { return Proposal::Nothing };
    let [item] = items.as_slice() else { return Proposal::Nothing };
    if types.array() || item.is_null() || site.whole || !types.meets(Types::of(item)) {
        return Proposal::Nothing;
    }
    // An entry of a list of pairs is no map: an object must be one that the schema describes.
    let described = item.as_object().is_none_or(|members| {
        site.node.properties().next().is_some()
            && members.keys().all(|key| site.node.properties().any(|name| name == key))
    });
    if described { Proposal::Edit(Edit::replace(site, item.clone())) } else { Proposal::Nothing }
}
