//! The whole text as Python prints it.

use super::stringified::is_doubted_text;
use super::{Call, Malformation, QUOTES, Stage};
use crate::json;
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "single-quotes",
    says: "the text is spelled as Python prints it: single quotes, True, None",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) {
        return false;
    }
    let Some(tokens) = call.tokens(source).and_then(|tokens| json::python(&tokens)) else {
        return false;
    };
    if tokens.iter().any(|token| token.is_string() && is_doubted_text(&token.meaning)) {
        return false;
    }
    call.respell(tokens)
}
