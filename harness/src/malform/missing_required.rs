//! A required field is not there.

use super::{Call, Malformation, Stage};
use crate::json;
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "missing-required",
    says: "a required field is missing",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, _)) = call.choose(source, |site, _| site.required && !site.item) else {
        return false;
    };
    let removed = call
        .value_mut()
        .and_then(|value| json::parent_mut(value, &place))
        .and_then(|(map, key)| map.shift_remove(&key));
    removed.is_some()
}
