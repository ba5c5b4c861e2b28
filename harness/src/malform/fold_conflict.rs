//! Flat fields of an edit, beside a second pair under other names.

use super::flat_edit::flatten;
use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "fold-conflict",
    says: "an edit's fields stand flat at the root, beside other values under their aliases",
    stage: Stage::Structure,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut flat) = flatten(call) else { return false };
    let nested = call.subject.aliases.iter().filter(|set| set.selector.matches('/').count() > 1);
    let mut added = 0;
    for set in nested {
        if source.chance(3, 4) || added == 0 {
            flat.insert(source.pick(&set.names).clone(), Value::from(format!("other {added}")));
            added += 1;
        }
    }
    added > 0 && call.replace(Value::Object(flat))
}
