//! Nothing at all, sent to a tool that requires nothing, is an empty object.

use serde_json::{Map, Value};

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::Reason;
use crate::policy::Grade;

pub(super) const RULE: Rule = Rule {
    id: "envelope.read-nothing",
    fires: "nothing, `null` or an empty list was sent to a tool that requires nothing",
    note: "Read no arguments as `{}`: send an empty object where there are none.",
    grade: Grade::Exact,
    scope: Scope::Root,
    examples: &[Example {
        schema: r#"{"type":"object","properties":{"kind":{"type":"string"}}}"#,
        before: "null",
        after: "{}",
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let nothing = match site.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    let empty = Value::Object(Map::new());
    if nothing && !(site.tool.tables().may_close)(site.context) {
        return Proposal::Refuse(Reason::CutOff(None));
    }
    if nothing && site.tool.schema().validator().is_valid(&empty) {
        return Proposal::Edit(Edit::replace(site, empty));
    }
    Proposal::Nothing
}
