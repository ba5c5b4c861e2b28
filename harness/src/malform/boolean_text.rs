//! A boolean as text, in any case.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "boolean-text",
    says: "a boolean is sent as text: true, True or TRUE",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, value| {
        site.kind == Kind::Boolean && site.is_free() && value.is_boolean()
    });
    let Some((place, value)) = chosen else { return false };
    let spellings =
        if value == true { ["true", "True", "TRUE"] } else { ["false", "False", "FALSE"] };
    let spelling = *source.pick(&spellings);
    call.put(place, Value::from(spelling))
}
