//! A field under another name.

use super::{Call, Malformation, Stage};
use crate::generate::shape;
use crate::json::{self, Place};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "alias",
    says: "a field at the root has a configured other name",
    stage: Stage::Key,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    rename(call, source, |selector| selector.matches('/').count() == 1)
}

/// Renames one field, or that field in every item, to one of its aliases.
///
/// Not where the value is empty (some fields take that for missing), has changed its type,
/// where the alias is declared, or where any alias of the field already stands there.
pub(super) fn rename(call: &mut Call, source: &mut dyn Source, wanted: fn(&str) -> bool) -> bool {
    let sets: Vec<_> =
        call.subject.aliases.iter().filter(|set| wanted(&set.selector)).cloned().collect();
    if sets.is_empty() {
        return false;
    }
    let set = source.pick(&sets);
    let Some(value) = call.value() else { return false };
    let mut places: Vec<Place> = json::select(value, &set.selector);
    places.retain(|place| renamable(call, place, &set.names));
    let names: Vec<&String> =
        set.names.iter().filter(|name| !shape::declares(&call.subject.schema, name)).collect();
    if places.is_empty() || names.is_empty() {
        return false;
    }
    // Beside a field that the tool does not have, another name may mean another operation.
    let known = |key: &String| shape::declares(&call.subject.schema, key);
    let closed = |place: &Place| {
        let parent = call.value().and_then(|value| json::at(value, &place[..place.len() - 1]));
        parent.and_then(Value::as_object).is_some_and(|map| map.keys().all(known))
    };
    if !places.iter().all(closed) {
        return false;
    }
    let name = *source.pick(&names);
    if places.len() > 1 && source.chance(1, 2) {
        places.truncate(1);
    }
    places.into_iter().filter(|place| call.rename(place.clone(), name)).count() > 0
}

fn renamable(call: &Call, place: &Place, names: &[String]) -> bool {
    let now = call.value().and_then(|value| json::at(value, place));
    let meant = json::at(&call.original, place);
    let same_type = match (now, meant) {
        (Some(Value::String(now)), Some(Value::String(_))) => !now.is_empty(),
        (Some(Value::Array(_)), Some(Value::Array(_))) => true,
        _ => false,
    };
    let parent = call.value().and_then(|value| json::at(value, &place[..place.len() - 1]));
    let alone = parent
        .and_then(Value::as_object)
        .is_some_and(|map| !names.iter().any(|name| map.contains_key(name)));
    same_type && alone
}
