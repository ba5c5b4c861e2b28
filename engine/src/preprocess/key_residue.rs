//! Takes template tokens off a key, where the rest is a field the schema declares.

use serde_json::Value;

use super::grammar_tokens::strip as strip_value;
use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::schema::Node;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "key-residue",
    rule: "preprocess.strip-key-tokens",
    fires: "a key is a declared field with template tokens stuck to it",
    note: "Took template tokens off a key: the field is called `{field}`.",
    grade: Grade::Adaptive,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        entry: r#"{"kind":"key-residue","selector":""}"#,
        before: r#"{"path</arg_key>":"/x"}"#,
        after: r#"{"path":"/x"}"#,
    },
    apply,
};

/// Tokens around a key in GLM's template.
const TOKENS: &[&str] = &["<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"];

/// Fires only for a key that is undeclared as it stands, and known and absent without tokens. A key
/// with tokens proves the template, so tokens around the values beside it go as well; a value that
/// still holds some is a piece of the template, and refused.
fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(members) = spot.place.here.and_then(Value::as_object) else { return Ok(Vec::new()) };
    let mut renamed: Vec<(&str, &str)> = Vec::new();
    for key in members.keys() {
        let Some(name) = strip_key(key) else { continue };
        let node = spot.node();
        if node.declares(key) || !is_known(spot, &node, name) {
            continue;
        }
        let taken = members.get(name).is_some_and(|value| !value.is_null());
        if taken || renamed.iter().any(|(_, other)| *other == name) {
            return Err(Reason::ConflictingAliases(spot.place.pointer().child(name)));
        }
        renamed.push((key, name));
    }
    if renamed.is_empty() {
        return Ok(Vec::new());
    }
    let marked = |value: &Value| {
        let text = value.as_str().map(|text| strip_value(text).unwrap_or(text));
        text.is_some_and(|text| text.contains("</arg_value>") && text.contains("<arg_key>"))
    };
    if renamed.iter().any(|(key, _)| members.get(*key).is_some_and(marked)) {
        return Err(Reason::Unreadable);
    }
    let at = spot.place.pointer();
    let mut operations: Vec<Operation> = renamed
        .iter()
        .flat_map(|(key, name)| {
            let path = at.child(name);
            let blank =
                members.contains_key(*name).then(|| Operation::Remove { path: path.clone() });
            blank.into_iter().chain([Operation::Move { from: at.child(key), path }])
        })
        .collect();
    for (key, value) in members {
        let Some(inner) = value.as_str().and_then(strip_value) else { continue };
        let name = renamed.iter().find(|(old, _)| old == key).map_or(key.as_str(), |pair| pair.1);
        operations.push(Operation::Replace { path: at.child(name), value: inner.into() });
    }
    Ok(operations)
}

/// True for a declared field, and for a configured other name of one.
fn is_known(spot: &Spot<'_, '_, '_>, node: &Node<'_>, name: &str) -> bool {
    node.properties().any(|known| known == name)
        || spot.tool.preprocessors().iter().any(|entry| {
            entry.selector.is_member_of(&spot.config.selector)
                && (entry.aliases.iter().any(|alias| alias == name) || folds(&entry.fields, name))
        })
}

/// True for a field that a fold takes from here, or another name of one.
fn folds(fields: &[(String, Vec<String>)], name: &str) -> bool {
    fields.iter().any(|(field, names)| field == name || names.iter().any(|other| other == name))
}

/// The key without tokens at its ends; `None` if there are none.
fn strip_key(key: &str) -> Option<&str> {
    if !key.contains('<') {
        return None;
    }
    let mut inner = key;
    loop {
        let before = inner.len();
        inner = TOKENS.iter().find_map(|token| inner.strip_prefix(token)).unwrap_or(inner);
        inner = TOKENS.iter().find_map(|token| inner.strip_suffix(token)).unwrap_or(inner);
        if inner.len() == before {
            break;
        }
    }
    (inner.len() < key.len()).then_some(inner)
}
