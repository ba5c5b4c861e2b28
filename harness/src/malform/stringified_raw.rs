//! A list or an object as JSON text with raw control characters in its strings.

use super::{Call, Malformation, Stage, raw_controls, stringified};
use crate::json::{self, Spacing};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified-raw",
    says: "a list or an object is sent as JSON text whose strings hold raw line breaks or tabs",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, value)) = stringified::choose(call, source) else { return false };
    let Some(tokens) = raw_controls::raw(json::tokens(&value, Spacing::Dense)) else {
        return false;
    };
    call.put(place, Value::String(json::join(&tokens)))
}
