//! Makes a list of a single value, where a list belongs.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::policy::Grade;
use crate::schema::Types;
use crate::{Reason, plain};

pub(super) const RULE: Rule = Rule {
    id: "schema.wrap-item",
    fires: "a single item stands where a list of such items belongs",
    note: "Made `{field}` a list: send a list even for one item.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[
        Example {
            schema: r#"{"type":"object","properties":{"ops":{"type":"array","items":{"type":"object"}}}}"#,
            before: r#"{"ops":{"op":"init"}}"#,
            after: r#"{"ops":[{"op":"init"}]}"#,
        },
        Example {
            schema: r#"{"type":"object","properties":{"include":{"type":"array","items":{"type":"string"}}}}"#,
            before: r#"{"include":"*.rs"}"#,
            after: r#"{"include":["*.rs"]}"#,
        },
    ],
    propose,
};

/// A text with separators, or one that is not plain, may stand for several items: refused.
fn propose(site: &Site<'_>) -> Proposal {
    let types = site.node.types();
    let kind = Types::of(site.value);
    if !types.array() || types.meets(kind) || site.value.is_null() || site.whole {
        return Proposal::Nothing;
    }
    // One item of several made a list of its own would split what belongs together.
    if site.in_list {
        return Proposal::Nothing;
    }
    let items = site.node.item(0).types();
    if items.is_anything() || !items.meets(kind) || site.node.is_tuple() {
        return Proposal::Nothing;
    }
    match site.value {
        Value::String(text) if text.trim().is_empty() => Proposal::Nothing,
        Value::String(text) if !plain::is_plain_item(text, site.key) => {
            Proposal::Refuse(Reason::AmbiguousList(site.pointer.clone()))
        }
        value => Proposal::Edit(Edit::replace(site, vec![value.clone()].into())),
    }
}
