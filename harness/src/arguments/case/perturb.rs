//! Small edits at any place, unions and undeclared members included: nobody says whether they lose anything.

use serde_json::{Value, json};

use crate::json::{self, Place};
use crate::source::{Choose, Source};

/// Makes one to three edits at places of `value`.
pub(super) fn perturb(value: &mut Value, source: &mut dyn Source) {
    for _ in 0..=source.below(3) {
        let places = places(value);
        let place = places[source.index(places.len())].clone();
        if let Some(slot) = json::at_mut(value, &place) {
            edit(slot, source);
        }
    }
}

fn edit(slot: &mut Value, source: &mut dyn Source) {
    let old = slot.take();
    *slot = match (source.below(9), old) {
        (0, old) => Value::String(old.to_string()),
        (1, old) => json!([old]),
        (2, Value::Array(items)) if items.len() == 1 => items[0].clone(),
        (2, _) => Value::Null,
        (3, Value::String(text)) if !text.is_empty() => recased(&text, source),
        (3, _) => json!(""),
        (4, Value::Object(map)) => {
            let renamed = |key: String| if key.len() > 1 { key.to_uppercase() } else { key };
            map.into_iter().map(|(key, value)| (renamed(key), value)).collect()
        }
        (4, _) => json!({}),
        (5, old) => {
            let key = *source.pick(&["arguments", "input", "value", "params", "x"]);
            json!({ key: old })
        }
        (6, Value::String(text)) => Value::from(text.split_whitespace().collect::<Vec<_>>()),
        (6, Value::Bool(truth)) => Value::from(u8::from(truth)),
        (6, Value::Number(number)) => Value::String(format!(" {number}")),
        (7, Value::Array(mut items)) => {
            items.push(Value::Null);
            Value::Array(items)
        }
        (7, Value::Object(mut map)) => {
            let at = source.index(map.len().max(1));
            if let Some(key) = map.keys().nth(at).cloned() {
                map.shift_remove(&key);
            }
            Value::Object(map)
        }
        (8, Value::Number(number)) => Value::String(format!("{number}.5")),
        (_, old) => Value::String(
            json::python(&json::tokens(&old, json::Spacing::Blank))
                .map_or_else(|| old.to_string(), |tokens| json::join(&tokens)),
        ),
    };
}

fn recased(text: &str, source: &mut dyn Source) -> Value {
    Value::String(if source.chance(1, 2) { text.to_uppercase() } else { format!("{text} ") })
}

/// Every place in a value, the root first.
fn places(value: &Value) -> Vec<Place> {
    let mut found = vec![Place::new()];
    let mut at = 0;
    while let Some(place) = found.get(at).cloned() {
        match json::at(value, &place) {
            Some(Value::Array(items)) => {
                found.extend((0..items.len()).map(|index| json::child(&place, index.to_string())));
            }
            Some(Value::Object(map)) => {
                found.extend(map.keys().map(|key| json::child(&place, key.clone())));
            }
            _ => {}
        }
        at += 1;
    }
    found
}
