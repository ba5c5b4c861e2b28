//! A byte order mark or a no-break space between tokens.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "odd-space",
    says: "a space that JSON does not count as one stands before the value or between two tokens",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    if source.chance(1, 2) {
        tokens.insert(0, Token::gap("\u{feff}"));
        return call.respell(tokens);
    }
    let chosen = choose_token(source, &tokens, |_, token| {
        matches!(token.part, Part::Open | Part::Comma | Part::Colon)
    });
    let Some(at) = chosen else { return false };
    tokens.insert(at + 1, Token::gap(*source.pick(&["\u{a0}", "\u{3000}", "\u{2028}"])));
    call.respell(tokens)
}
