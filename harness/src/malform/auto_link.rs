//! A path that a renderer made into a link to itself.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "auto-link",
    says: "a path field holds a link whose text is its own address without the protocol",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let clean = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
    };
    let Some((place, text)) = call.choose_text(source, &call.subject.path_fields, clean) else {
        return false;
    };
    let scheme = *source.pick(&["http", "https"]);
    call.put(place, Value::String(format!("[{text}]({scheme}://{text})")))
}
