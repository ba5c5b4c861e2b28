//! The same object twice.

use super::{Call, Malformation, Stage, TAILS};
use crate::json::Token;
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "doubled-object",
    says: "the whole text stands twice, back to back",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(TAILS) || !call.is_object() {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let again = tokens.clone();
    tokens.push(Token::gap(*source.pick(&["", "\n", " "])));
    tokens.extend(again);
    call.respell(tokens)
}
