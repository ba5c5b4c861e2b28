//! A digit or a word where a boolean is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "digit-boolean",
    says: "a boolean is sent as the text 0, 1, yes or off",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, _| site.kind == Kind::Boolean && site.is_free());
    let text = *source.pick(&["0", "1", "yes", "off"]);
    chosen.is_some_and(|(place, _)| call.put(place, Value::from(text)))
}
