//! pi's own preparation of `edit` arguments, which runs before anything else sees them.

use serde_json::{Map, Value, json};

use super::HostProfile;

const FLAT_FIELDS: [&str; 2] = ["oldText", "newText"];

/// What the host's edit tool makes of raw arguments before they are validated.
///
/// Seen on every measured release: `edits` given as the JSON text of an array is parsed; then a flat
/// `oldText` and `newText`, both texts, are **appended** as the last edit and leave the root. An
/// `edits` that is still no array is silently replaced by that one edit, whatever it held. From the
/// second generation on, a single object with both texts, or its JSON text, first becomes an array of
/// one, other keys kept. Double-encoded text, items that are text, snake-case names, other types
/// and anything but an object root are left alone.
///
/// Text that only this engine's parser refuses stays text: numbers beyond a double, lone surrogates,
/// and nesting deeper than 128.
pub fn edit_hook(profile: HostProfile, args: &Value) -> Value {
    let mut args = args.clone();
    if let Some(root) = args.as_object_mut() {
        if let Some(edits) = root.get_mut("edits") {
            read_edits(profile, edits);
        }
        fold_flat_fields(root);
    }
    args
}

fn read_edits(profile: HostProfile, edits: &mut Value) {
    let parsed = edits.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let candidate = parsed.as_ref().unwrap_or(edits);
    if candidate.is_array() {
        *edits = candidate.clone();
    } else if profile != HostProfile::Pi080 && is_edit(candidate) {
        *edits = json!([candidate]);
    }
}

fn is_edit(value: &Value) -> bool {
    FLAT_FIELDS.iter().all(|field| value.get(field).is_some_and(Value::is_string))
}

fn fold_flat_fields(root: &mut Map<String, Value>) {
    let flat = FLAT_FIELDS.map(|field| root.get(field).filter(|text| text.is_string()).cloned());
    let [Some(old), Some(new)] = flat else { return };
    for field in FLAT_FIELDS {
        // Keys keep their order: the call is shown to people.
        root.shift_remove(field);
    }
    let edits = root.entry("edits").or_insert(Value::Null);
    if !edits.is_array() {
        *edits = json!([]);
    }
    if let Some(list) = edits.as_array_mut() {
        list.push(json!({ "oldText": old, "newText": new }));
    }
}
