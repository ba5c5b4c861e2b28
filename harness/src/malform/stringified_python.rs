//! A list or an object as Python prints it.

use super::{Call, Malformation, Stage, stringified};
use crate::json::{self, Spacing};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified-python",
    says: "a list or an object is sent as text in Python's spelling",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, value)) = stringified::choose(call, source) else { return false };
    let Some(tokens) = json::python(&json::tokens(&value, Spacing::Blank)) else { return false };
    call.put(place, Value::String(json::join(&tokens)))
}
