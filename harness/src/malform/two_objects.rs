//! Two different objects back to back.

use super::call::choose_token;
use super::duplicate_key::different;
use super::{Call, Malformation, Stage, TAILS};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "two-objects",
    says: "two objects that differ in one value stand back to back",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(TAILS) || !call.is_object() {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let scalar = |_: usize, token: &Token| matches!(token.part, Part::Text | Part::Scalar);
    let Some(at) = choose_token(source, &tokens, scalar) else { return false };
    let mut second = tokens.clone();
    second[at].spelling = different(&second[at]);
    tokens.push(Token::gap(*source.pick(&["", "\n", " "])));
    tokens.extend(second);
    call.respell(tokens)
}
