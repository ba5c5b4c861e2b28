//! An object or a list where a text is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::json;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "object-string",
    says: "a text is replaced by an object or by a list of two",
    stage: Stage::Field,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, _| {
        site.kind == Kind::Text && site.choices().is_none() && !site.nullable
    });
    let other =
        source.pick(&[json!({"value": "x"}), json!(["ls", "-l"]), json!({"a": {"b": 1}})]).clone();
    chosen.is_some_and(|(place, _)| call.put(place, other))
}
