//! Leaves an optional field out where an empty text or object was sent as a placeholder.

use serde_json::Value;

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::Operation;
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "schema.drop-empty",
    fires: "an empty text or object that the schema rejects stands at an optional field",
    note: "Dropped `{field}`: leave an optional field out instead of sending an empty value.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[
        Example {
            schema: r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"number"}}}"#,
            before: r#"{"path":"/x","limit":""}"#,
            after: r#"{"path":"/x"}"#,
        },
        Example {
            schema: r#"{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"number"}}}"#,
            before: r#"{"path":"/x","limit":{}}"#,
            after: r#"{"path":"/x"}"#,
        },
    ],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let empty = match site.value {
        Value::String(text) => text.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if empty && site.optional {
        let path = site.pointer.clone();
        let operations = vec![Operation::Remove { path }];
        return Proposal::Edit(Edit { operations, ..Edit::default() });
    }
    Proposal::Nothing
}
