//! A comma after the last member.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "trailing-comma",
    says: "a comma follows the last member of an object or list",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    insert(&mut tokens, source) && call.respell(tokens)
}

/// Puts a comma before one of the closers of containers that are not empty.
pub(super) fn insert(tokens: &mut Vec<Token>, source: &mut dyn Source) -> bool {
    let before = |at: usize| tokens[..at].iter().rposition(|token| token.part != Part::Gap);
    let filled = |at: usize| {
        before(at).is_some_and(|last| !matches!(tokens[last].part, Part::Open | Part::Comma))
    };
    let Some(at) =
        choose_token(source, tokens, |at, token| token.part == Part::Close && filled(at))
    else {
        return false;
    };
    let after = before(at).map_or(at, |last| last + 1);
    tokens.insert(
        after,
        Token { part: Part::Comma, spelling: ",".to_owned(), meaning: String::new() },
    );
    true
}
