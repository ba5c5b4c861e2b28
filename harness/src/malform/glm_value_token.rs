//! GLM's value tags around a text.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "glm-value-token",
    says: "a GLM model leaves its value tags around a text, or the closing one behind it",
    stage: Stage::Field,
    lossless: true,
    conservative: false,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let bare = |text: &str| !text.is_empty() && !text.contains("arg_");
    let Some((place, text)) = call.choose_text(source, &call.subject.tokens, bare) else {
        return false;
    };
    let lone = place.len() == 1 && !text.contains(char::is_whitespace);
    let opener = if !lone || source.chance(1, 2) { "<arg_value>" } else { "" };
    call.gate(&["glm-4.6"], source)
        && call.put(place, Value::String(format!("{opener}{text}</arg_value>")))
}
