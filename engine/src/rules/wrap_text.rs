//! Puts a bare text into the tool's one text field.

use serde_json::{Map, Value};

use super::{Edit, Example, Proposal, Rule, Scope, Site};
use crate::plain::Holds;
use crate::policy::Grade;
use crate::{Reason, plain};

pub(super) const RULE: Rule = Rule {
    id: "envelope.wrap-text",
    fires: "a bare text was sent to a tool with one text field, and it is plainly no JSON or markup",
    note: "Put the bare text into the tool's field: send an object.",
    grade: Grade::Exact,
    scope: Scope::Root,
    examples: &[Example {
        schema: r#"{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}"#,
        before: r#""/w/src/main.rs""#,
        after: r#"{"path":"/w/src/main.rs"}"#,
    }],
    propose,
};

fn propose(site: &Site<'_>) -> Proposal {
    let Value::String(text) = site.value else { return Proposal::Nothing };
    if site.node.types().string() {
        return Proposal::Nothing;
    }
    let Some(field) = site.tool.root_field() else { return Proposal::Nothing };
    if text.trim().is_empty() {
        return Proposal::Nothing;
    }
    if !(site.tool.tables().may_close)(site.context) {
        return Proposal::Refuse(Reason::CutOff(None));
    }
    if !plain::is_plain_text(text, Holds::of(field)) || assigns_field(site, text) {
        return Proposal::Refuse(Reason::NotPlain);
    }
    let mut members = Map::new();
    members.insert(field.to_owned(), text.as_str().into());
    Proposal::Edit(Edit::replace(site, members.into()))
}

/// True for `path=src/main.rs limit=5`: fields of the tool, or other names of them, with values.
fn assigns_field(site: &Site<'_>, text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let Some((name, _)) = word.split_once(['=', ':']) else { return false };
        let aliases = site.tool.preprocessors().iter().flat_map(|entry| &entry.aliases);
        site.node.properties().chain(aliases.map(String::as_str)).any(|known| known == name)
    })
}
