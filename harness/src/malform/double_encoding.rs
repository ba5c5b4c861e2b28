//! The whole arguments as JSON text, once or twice more than needed.

use super::{Call, Malformation, Stage};
use crate::json;
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "double-encoding",
    says: "the whole arguments are encoded as text, once or twice more than needed",
    stage: Stage::Envelope,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(root) = call.root().cloned() else { return false };
    let mut text = Value::Object(root).to_string();
    for _ in 0..source.below(2) {
        text = json::quote(&text);
    }
    call.replace(Value::String(text))
}
