//! The whole arguments alone in a list.

use super::{Call, Malformation, Stage};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "root-singleton",
    says: "the whole arguments stand alone in a list",
    stage: Stage::Envelope,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, _source: &mut dyn Source) -> bool {
    if call.has_any(&["envelope-key"]) {
        return false;
    }
    let Some(root) = call.root().cloned() else { return false };
    call.replace(Value::Array(vec![Value::Object(root)]))
}
