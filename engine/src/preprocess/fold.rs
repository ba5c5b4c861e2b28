//! Folds flat fields into one item of a list, where nothing is overwritten or dropped.

use serde_json::{Map, Value};

use super::alias::foreign_member;
use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Pointer, Reason};

pub(super) const KIND: Kind = Kind {
    name: "fold",
    rule: "preprocess.fold-fields",
    fires: "the fields of a list's item stand flat beside an absent list",
    note: "Moved flat fields into `{field}`: send a list of items, even for one.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","required":["edits"],"properties":{"edits":{"type":"array","items":{"type":"object","required":["oldText","newText"],"properties":{"oldText":{"type":"string"},"newText":{"type":"string"}}}}}}"#,
        entry: r#"{"kind":"fold","selector":"/edits","fields":{"oldText":["old_string"],"newText":["new_string"]}}"#,
        before: r#"{"old_string":"a","newText":"b"}"#,
        after: r#"{"edits":[{"oldText":"a","newText":"b"}]}"#,
    },
    apply,
};

/// Beside a present list, the item under the fields' own names goes to its end, as pi's own hook
/// does; one under other names, or beside anything else that is present, is refused: the host would
/// drop it without a word. An item that the list already holds says nothing new and stays.
///
/// SOURCE: `edit_hook_appends`
fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(members) = spot.place.parent else { return Ok(Vec::new()) };
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for (field, aliases) in &spot.config.fields {
        let names = names_present(members, spot, field, aliases);
        if names.is_empty() {
            return Ok(Vec::new());
        }
        found.push((field, names));
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let conflict = || Reason::FoldConflict(spot.place.pointer());
    let present = spot.place.here.filter(|value| !is_blank(value));
    let item = item(members, &found);
    if let Some(present) = present {
        let Some(items) = present.as_array() else { return Err(conflict()) };
        let own = found.iter().all(|(field, names)| names.as_slice() == [*field]);
        match &item {
            None if !own => return Ok(Vec::new()),
            Some(item) if items.contains(item) => return Ok(Vec::new()),
            Some(_) if !own => return Err(conflict()),
            _ => {}
        }
    }
    let item = item.ok_or_else(conflict)?;
    if let Some(other) = foreign_member(members, spot).filter(|_| spot.config.alone) {
        return Err(Reason::ForeignField(spot.place.parent_pointer().child(other)));
    }
    if leaves_behind(members, spot, &found) {
        return Err(conflict());
    }
    let parent = spot.place.parent_pointer();
    let mut operations = place_item(spot, present, item);
    let taken = found.iter().flat_map(|(_, names)| names);
    operations.extend(taken.map(|name| Operation::Remove { path: parent.child(name) }));
    Ok(operations)
}

/// True if a flat member that only the item declares would stay outside it.
fn leaves_behind(
    members: &Map<String, Value>,
    spot: &Spot<'_, '_, '_>,
    found: &[(&str, Vec<&str>)],
) -> bool {
    let parent = spot.tool.schema().root().walk(&spot.place.parent_pointer(), spot.root);
    let item = parent.property(spot.place.key).item(0);
    members.keys().any(|key| {
        let taken = found.iter().any(|(_, names)| names.contains(&key.as_str()));
        !taken
            && !parent.properties().any(|name| name == key)
            && item.properties().any(|name| name == key)
    })
}

/// An absent, null or empty list may be written over.
fn is_blank(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// The names under which a field stands flat; a name that the schema declares is not flat.
fn names_present<'c>(
    members: &Map<String, Value>,
    spot: &'c Spot<'_, '_, '_>,
    field: &'c str,
    aliases: &'c [String],
) -> Vec<&'c str> {
    let names = std::iter::once(field).chain(aliases.iter().map(String::as_str));
    let present: Vec<&str> = names.filter(|name| members.contains_key(*name)).collect();
    if present.is_empty() {
        return present;
    }
    let parent = spot.tool.schema().root().walk(&spot.place.parent_pointer(), spot.root);
    present.into_iter().filter(|name| !parent.properties().any(|known| known == *name)).collect()
}

/// The new item: every field a text, and the same text under all its names.
fn item(members: &Map<String, Value>, found: &[(&str, Vec<&str>)]) -> Option<Value> {
    let mut item = Map::new();
    for (field, names) in found {
        let mut values = names.iter().filter_map(|name| members.get(*name));
        let first = values.next().filter(|value| value.is_string())?;
        if values.any(|other| other != first) {
            return None;
        }
        item.insert((*field).to_owned(), first.clone());
    }
    Some(Value::Object(item))
}

/// Appends to a present list, or puts a new one there.
fn place_item(spot: &Spot<'_, '_, '_>, present: Option<&Value>, item: Value) -> Vec<Operation> {
    let at: Pointer = spot.place.pointer();
    match (present.and_then(Value::as_array), spot.place.here) {
        (Some(items), _) => vec![Operation::Add { path: at.item(items.len()), value: item }],
        (None, Some(_)) => vec![Operation::Replace { path: at, value: vec![item].into() }],
        (None, None) => vec![Operation::Add { path: at, value: vec![item].into() }],
    }
}
