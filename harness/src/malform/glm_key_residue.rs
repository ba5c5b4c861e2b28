//! GLM's closing key tag behind a key.

use super::{Call, Malformation, Stage};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "glm-key-residue",
    says: "a GLM model leaves its closing key tag behind a field's name",
    stage: Stage::Key,
    lossless: true,
    conservative: false,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, _)) = call.choose_text(source, &call.subject.tokens, |_| true) else {
        return false;
    };
    let Some(key) = place.last().cloned() else { return false };
    call.gate(&["glm-4.6"], source) && call.rename(place, &format!("{key}</arg_key>"))
}
