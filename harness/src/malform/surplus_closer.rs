//! One closer too many.

use super::{Call, Malformation, Stage, TAILS};
use crate::json::Token;
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "surplus-closer",
    says: "the text ends with one or two closers more than were opened",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(TAILS) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let closer = if call.is_object() { "}" } else { "]" };
    tokens.push(Token::gap(closer.repeat(source.range(1, 2) as usize)));
    call.respell(tokens)
}
