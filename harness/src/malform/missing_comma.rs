//! A comma is missing between two members.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "missing-comma",
    says: "a comma between two members is missing; the arguments that were meant may come out",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(&["trailing-comma"]) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let Some(at) = choose_token(source, &tokens, |_, token| token.part == Part::Comma) else {
        return false;
    };
    tokens[at] = Token::gap(" ");
    call.acceptable.push(call.original.clone());
    call.respell(tokens)
}
