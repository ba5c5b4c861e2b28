//! Two aliases of one field, with different values.

use super::{Call, Malformation, Stage};
use crate::generate::shape;
use crate::json;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "alias-conflict",
    says: "a required field is absent, and two of its aliases hold different values",
    stage: Stage::Key,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let mut sets = call.subject.aliases.clone();
    sets.retain_mut(|set| {
        set.names.retain(|name| !shape::declares(&call.subject.schema, name));
        set.names.len() > 1
    });
    if sets.is_empty() {
        return false;
    }
    let set = source.pick(&sets);
    let required = |place: &[String]| {
        let found = call.is_required(place);
        found && call.value().and_then(|value| json::at(value, place)).is_some_and(Value::is_string)
    };
    let Some(value) = call.value() else { return false };
    let Some(place) = json::select(value, &set.selector).into_iter().find(|place| required(place))
    else {
        return false;
    };
    let (first, second) = (&set.names[0], &set.names[1 + source.index(set.names.len() - 1)]);
    let Some((map, key)) = call.value_mut().and_then(|value| json::parent_mut(value, &place))
    else {
        return false;
    };
    if set.names.iter().any(|name| map.contains_key(name)) {
        return false;
    }
    let other = format!("{}-other", map[&key].as_str().unwrap_or_default());
    if map[&key] == "" || !json::rename(map, &key, first) {
        return false;
    }
    map.insert(second.clone(), Value::String(other));
    true
}
