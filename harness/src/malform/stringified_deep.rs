//! A list or an object as JSON text of JSON text.

use super::{Call, Malformation, Stage, stringified};
use crate::json;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified-deep",
    says: "a list or an object is encoded as text two or three times",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, value)) = stringified::choose(call, source) else { return false };
    let mut text = value.to_string();
    for _ in 0..source.range(1, 2) {
        text = json::quote(&text);
    }
    call.put(place, Value::String(text))
}
