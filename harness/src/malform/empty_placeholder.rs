//! An empty text or object where an optional field was left out.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::{Value, json};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "empty-placeholder",
    says: "an absent optional field is sent as an empty text or an empty object of the wrong type",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let (empty, kinds): (Value, &[Kind]) = if source.chance(1, 2) {
        (json!({}), &[Kind::Text, Kind::Number, Kind::Integer, Kind::Boolean])
    } else {
        (json!(""), &[Kind::Number, Kind::Integer, Kind::Boolean, Kind::List])
    };
    let gap = call
        .choose_gap(source, |site| kinds.contains(&site.kind) && !site.nullable && site.is_free());
    gap.is_some_and(|place| call.put(place, empty))
}
