//! A backslash and an n between tokens.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "literal-newline",
    says: "an escaped line break stands between two tokens",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let blank = |token: &&Token| token.part == Part::Gap && token.spelling.trim().is_empty();
    let follows = |at: usize| {
        let next = tokens[at + 1..].iter().find(|token| !blank(token));
        next.is_some_and(|next| next.spelling.starts_with(['"', '\'', '“', '{', '[']))
    };
    let chosen = choose_token(source, &tokens, |at, token| {
        matches!(token.part, Part::Open | Part::Comma | Part::Colon) && follows(at)
    });
    let Some(at) = chosen else { return false };
    tokens.insert(at + 1, Token::gap(*source.pick(&["\\n", "\\n\\n"])));
    call.respell(tokens)
}
