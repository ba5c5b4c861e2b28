//! The text of a fraction where a whole number is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "fraction-text",
    says: "a whole number is sent as the text of a fraction or of no number",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, _| site.kind == Kind::Integer && site.is_free());
    let text = *source.pick(&["3.5", "-0.5", "5px", "ten", "1_000", "0x10"]);
    chosen.is_some_and(|(place, _)| call.put(place, Value::from(text)))
}
