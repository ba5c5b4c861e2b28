//! `null` where an optional field was left out.

use super::{Call, Malformation, Stage};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "null-optional",
    says: "an absent optional field is sent as null",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let rejects_null = |choices: Option<&Vec<Value>>| {
        choices.is_none_or(|members| !members.contains(&Value::Null))
    };
    let gap = call.choose_gap(source, |site| !site.nullable && rejects_null(site.choices()));
    gap.is_some_and(|place| call.put(place, Value::Null))
}
