//! `null` in a list.

use super::{Call, Malformation, Stage};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "null-item",
    says: "an item of a list is null",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, value| {
        site.item && site.is_free() && !site.nullable && !value.is_null()
    });
    chosen.is_some_and(|(place, _)| call.put(place, Value::Null))
}
