//! Moves a value from a configured other name of a field to the field itself.

use serde_json::{Map, Value};

use super::{Kind, KindExample, Preprocessor, Spot};
use crate::plain;
use crate::policy::Grade;
use crate::refusal::type_name;
use crate::rules::NAMES;
use crate::schema::Types;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "alias",
    rule: "preprocess.rename-alias",
    fires: "a configured other name holds the field's value, and the field itself is absent or null",
    note: "Read `{field}` from another name: the field is called `{field}`.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}"#,
        entry: r#"{"kind":"alias","selector":"/path","aliases":["file_path"],"accepts":"string"}"#,
        before: r#"{"file_path":"/x"}"#,
        after: r#"{"path":"/x"}"#,
    },
    apply,
};

/// A present value always wins; two other names with different values are refused.
fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(members) = spot.place.parent else { return Ok(Vec::new()) };
    let blank = spot.place.here.is_some_and(|value| is_blank(spot, value));
    if spot.place.here.is_some() && !blank {
        return Ok(Vec::new());
    }
    let found = candidates(members, spot);
    let Some((first, value)) = found.first() else { return Ok(Vec::new()) };
    let at = spot.place.pointer();
    if found.iter().any(|(_, other)| other != value) {
        return Err(Reason::ConflictingAliases(at));
    }
    let parent = spot.place.parent_pointer();
    if let Some(other) = foreign_member(members, spot).filter(|_| spot.config.alone) {
        return Err(Reason::ForeignField(parent.child(other)));
    }
    let mut operations = Vec::new();
    if blank {
        operations.push(Operation::Remove { path: at.clone() });
    }
    operations.push(Operation::Move { from: parent.child(first), path: at });
    let others = found.iter().skip(1);
    operations.extend(others.map(|(name, _)| Operation::Remove { path: parent.child(name) }));
    Ok(operations)
}

/// Members that only talk about the call.
const REMARKS: &[&str] = &[
    "description",
    "explanation",
    "reason",
    "replace_all",
    "replaceAll",
    "id",
    "reasoning",
    "thought",
    "summary",
    "title",
];

/// A member that the tool does not have, under any name, and that says something.
pub(super) fn foreign_member<'v>(
    members: &'v Map<String, Value>,
    spot: &Spot<'_, '_, '_>,
) -> Option<&'v str> {
    let node = spot.tool.schema().root().walk(&spot.place.parent_pointer(), spot.root);
    let here =
        |entry: &&Preprocessor| entry.selector.parent_text() == spot.config.selector.parent_text();
    let entries = spot.tool.preprocessors().iter().filter(here);
    let known: Vec<&String> = entries
        .flat_map(|entry| {
            let folded =
                entry.fields.iter().flat_map(|(name, names)| std::iter::once(name).chain(names));
            entry.aliases.iter().chain(folded)
        })
        .collect();
    let says_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let foreign = |(name, value): &(&'v String, &'v Value)| {
        !says_nothing(value)
            && !node.properties().any(|known| known == name.as_str())
            && !known.contains(name)
            && !REMARKS.contains(&name.as_str())
    };
    members.iter().find(foreign).map(|(name, _)| name.as_str())
}

/// The members that stand under another name and hold something the field may take.
fn candidates<'v>(
    members: &'v Map<String, Value>,
    spot: &Spot<'_, '_, '_>,
) -> Vec<(&'v str, &'v Value)> {
    members
        .iter()
        .filter(|(name, value)| {
            spot.config.aliases.binary_search(name).is_ok()
                && accepts(spot, value)
                && !names_tool(spot, name, value)
        })
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// True for `"name": "find"` in a call to `find`: it repeats the call and is no value.
fn names_tool(spot: &Spot<'_, '_, '_>, name: &str, value: &Value) -> bool {
    NAMES.contains(&name) && value.as_str() == Some(spot.tool.name())
}

/// True if the field is configured as a path.
fn holds_path(spot: &Spot<'_, '_, '_>) -> bool {
    spot.tool
        .preprocessors()
        .iter()
        .any(|entry| entry.kind.name == "filesystem-path" && entry.selector == spot.config.selector)
}

/// A word for nothing, JSON, or characters that nobody sees: under its own name the host would run
/// it, under another one it is no path yet.
fn is_no_path(text: &str) -> bool {
    let nothing = ["null", "none", "undefined", "nil"];
    nothing.iter().any(|word| text.eq_ignore_ascii_case(word))
        || ["{", "[\"", "[{"].iter().any(|start| text.starts_with(start))
        || plain::has_odd_characters(text)
}

fn accepts(spot: &Spot<'_, '_, '_>, value: &Value) -> bool {
    let listed = spot.config.accepts.is_empty()
        || spot.config.accepts.iter().any(|name| name == type_name(value));
    let nothing = match value {
        Value::Null => true,
        Value::String(text) if text.is_empty() => spot.config.empty_is_missing,
        Value::String(text) => holds_path(spot) && is_no_path(text),
        _ => false,
    };
    listed && !nothing
}

/// True if what stands at the field is as good as nothing: `null` where the schema takes none, or
/// an empty text where the owner says so.
fn is_blank(spot: &Spot<'_, '_, '_>, value: &Value) -> bool {
    (spot.config.empty_is_missing && is_empty_text(value))
        || (value.is_null() && !spot.node().types().meets(Types::of(value)))
}

fn is_empty_text(value: &Value) -> bool {
    value.as_str().is_some_and(str::is_empty)
}
