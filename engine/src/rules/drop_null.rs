//! Leaves an optional field out where `null` was sent for it.

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::Operation;
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "schema.drop-null",
    fires: "`null` stands at an optional field",
    note: "Dropped `{field}`: leave an optional field out instead of sending null.",
    grade: Grade::Exact,
    scope: Scope::Site,
    examples: &[Example {
        schema: r#"{"type":"object","required":["path"],"properties":{"path":{"type":"string"},"offset":{"type":"number"}}}"#,
        before: r#"{"path":"/x","offset":null}"#,
        after: r#"{"path":"/x"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    if site.value.is_null() && site.optional {
        let path = site.pointer.clone();
        let operations = vec![Operation::Remove { path }];
        return Proposal::Edit(Edit { operations, ..Edit::default() });
    }
    Proposal::Nothing
}
