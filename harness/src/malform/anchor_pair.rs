//! Regex anchors that bled into a path, as some models print them.

use super::{Call, Malformation, Stage};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "anchor-pair",
    says: "a gated model puts `^` before and `$` after the text of a field that holds no regex",
    stage: Stage::Field,
    lossless: true,
    conservative: false,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let bare = |text: &str| !text.is_empty() && !text.starts_with('^') && !text.ends_with('$');
    let Some((place, text)) = call.choose_text(source, &call.subject.anchored, bare) else {
        return false;
    };
    call.gate(&["kimi-k2-thinking", "MiniMax-M2", "glm-4.6"], source)
        && call.put(place, Value::String(format!("^{text}$")))
}
