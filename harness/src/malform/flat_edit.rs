//! The fields of the only item, flat at the root.

use super::{Call, Malformation, Stage};
use crate::generate::Subject;
use crate::generate::shape;
use crate::json;
use crate::source::Source;
use serde_json::{Map, Value};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "flat-edit",
    says: "the fields of a list's only item stand flat at the root, without the list",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, _source: &mut dyn Source) -> bool {
    let Some(flat) = flatten(call) else { return false };
    call.replace(Value::Object(flat))
}

/// The root with the only item's fields in place of the list: only where that item has exactly the
/// configured fields, nothing in it is damaged, and no root member bears the name of a field or an alias.
pub(super) fn flatten(call: &Call) -> Option<Map<String, Value>> {
    let fold = call.subject.fold.as_ref()?;
    let root = call.root()?;
    let (_, list) = json::split_selector(&fold.array)?;
    let [Value::Object(item)] = &root.get(&list)?.as_array()?[..] else { return None };
    let exact =
        item.len() == fold.fields.len() && fold.fields.iter().all(|field| item.contains_key(field));
    let meant = |key: &String| fold.fields.contains(key) || is_nested_alias(&call.subject, key);
    let closed = root.keys().all(|key| shape::declares(&call.subject.schema, key));
    if !exact
        || !closed
        || call.touched_below(std::slice::from_ref(&list))
        || root.keys().any(meant)
    {
        return None;
    }
    let mut flat = root.clone();
    flat.shift_remove(&list);
    flat.extend(item.clone());
    Some(flat)
}

fn is_nested_alias(subject: &Subject, key: &str) -> bool {
    let nested = subject.aliases.iter().filter(|set| set.selector.matches('/').count() > 1);
    nested.flat_map(|set| &set.names).any(|name| name == key)
}
