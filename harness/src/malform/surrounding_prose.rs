//! A sentence before or after the text.

use super::{Call, Malformation, Stage, TAILS};
use crate::generate::prose::{AFTER, BEFORE};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "surrounding-prose",
    says: "a sentence without brackets or quotes stands before or after the text, on its own line",
    stage: Stage::Text,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(TAILS) || call.has_any(&["over-escaped"]) {
        return false;
    }
    let Some(text) = call.text(source) else { return false };
    let around = if source.chance(1, 2) {
        format!("{}{text}", source.pick(BEFORE))
    } else {
        format!("{text}{}", source.pick(AFTER))
    };
    call.send(around)
}
