//! `null` for a field that is required.

use super::{Call, Malformation, Stage};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "null-required",
    says: "a required field is null",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let nothing = Value::Null;
    let chosen = call.choose(source, |site, value| {
        let member = site.choices().is_some_and(|members| members.contains(&nothing));
        site.required && !site.item && !site.nullable && !member && !value.is_null()
    });
    chosen.is_some_and(|(place, _)| call.put(place, Value::Null))
}
