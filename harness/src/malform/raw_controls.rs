//! Raw line breaks and tabs inside strings.

use super::{Call, Malformation, QUOTES, Stage};
use crate::json::{self, Token};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "raw-controls",
    says: "strings hold raw control characters instead of escapes",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) {
        return false;
    }
    let Some(tokens) = call.tokens(source).and_then(raw) else { return false };
    call.respell(tokens)
}

/// Writes the control characters of every string value raw; none where there are none.
pub(super) fn raw(tokens: Vec<Token>) -> Option<Vec<Token>> {
    let mut tokens = tokens;
    let mut changed = false;
    for token in tokens
        .iter_mut()
        .filter(|token| token.is_string() && token.meaning.contains(['\n', '\t', '\r']))
    {
        token.spelling = json::raw_quote(&token.meaning);
        changed = true;
    }
    changed.then_some(tokens)
}
