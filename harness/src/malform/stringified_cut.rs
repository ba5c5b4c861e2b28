//! A list or an object as JSON text that ends too early.

use super::call::whole_leaves;
use super::{Call, Malformation, Stage, stringified};
use crate::generate::hostile::boundary;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified-cut",
    says: "a list or an object is sent as JSON text that was cut; only whole leaves at their own places may come out",
    stage: Stage::Structure,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, value)) = stringified::choose(call, source) else { return false };
    let text = value.to_string();
    let end = boundary(&text, text.len() - 1 - source.index(text.len() - 1));
    call.accepts = Some(whole_leaves);
    end > 0 && call.put(place, Value::from(&text[..end]))
}
