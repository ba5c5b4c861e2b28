//! Nothing between a colon and what follows.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "missing-value",
    says: "a member has no value",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let member = |at: usize| {
        let before = tokens[..at].iter().rfind(|token| token.part != Part::Gap);
        before.is_some_and(|token| token.part == Part::Colon)
    };
    let value =
        |at: usize, token: &Token| matches!(token.part, Part::Text | Part::Scalar) && member(at);
    let Some(at) = choose_token(source, &tokens, value) else { return false };
    tokens.remove(at);
    call.respell(tokens)
}
