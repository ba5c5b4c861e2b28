//! The arguments inside an envelope.

use super::{Call, Malformation, Stage};
use crate::generate::shape;
use crate::source::{Choose, Source};
use serde_json::{Value, json};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "envelope-key",
    says: "the arguments stand under `arguments` or `input`, perhaps beside the tool's name",
    stage: Stage::Envelope,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(root) = call.root() else { return false };
    let schema = &call.subject.schema;
    let strange = |key: &str| {
        !shape::properties(schema).is_some_and(|known| known.contains_key(key))
            && !call.subject.is_alias(key)
            && !root.contains_key(key)
    };
    let keys: &[&str] =
        source.pick::<&[&str]>(&[&["arguments"], &["input"], &["arguments", "name"]]);
    if !shape::rejects_strangers(schema) || !keys.iter().all(|key| strange(key)) {
        return false;
    }
    let inner = Value::Object(root.clone());
    let outer = match keys {
        ["arguments"] => json!({"arguments": inner}),
        ["input"] => json!({"input": inner}),
        _ => json!({"name": call.subject.name, "arguments": inner}),
    };
    call.replace(outer)
}
