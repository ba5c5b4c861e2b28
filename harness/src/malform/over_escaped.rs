//! Every quote of the text behind a backslash.

use super::{Call, Malformation, Stage};
use crate::json::Part;
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "over-escaped",
    says: "every quote of the text is escaped, though nothing surrounds it",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.value().is_none() {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    if tokens.iter().any(|token| token.spelling.contains('\\'))
        || !tokens.iter().any(|token| token.part == Part::Key)
    {
        return false;
    }
    for token in &mut tokens {
        token.spelling = token.spelling.replace('"', "\\\"");
    }
    call.respell(tokens)
}
