//! Typographic quotes as delimiters.

use super::{Call, Malformation, QUOTES, Stage};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "typographic-quotes",
    says: "strings stand between typographic quotes; none holds a quote, a backslash or a control character",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let clean =
        |text: &str| !text.chars().any(|c| c.is_control() || "\"'`\\“”„‟‘’‚‛«»‹›″′".contains(c));
    let strings = || tokens.iter().filter(|token| token.is_string());
    if strings().count() == 0 || !strings().all(|token| clean(&token.meaning)) {
        return false;
    }
    for token in tokens.iter_mut().filter(|token| token.is_string()) {
        token.spelling = format!("“{}”", token.meaning);
    }
    call.respell(tokens)
}
