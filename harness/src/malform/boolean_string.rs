//! A boolean or a number where a text is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::json;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "boolean-string",
    says: "a text is replaced by a boolean or a number",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, _| site.kind == Kind::Text && site.choices().is_none());
    let other = source.pick(&[json!(true), json!(false), json!(7)]).clone();
    chosen.is_some_and(|(place, _)| call.put(place, other))
}
