//! A number no double can hold, in a text that needs a repair.

use super::call::choose_token;
use super::{Call, Malformation, Stage, trailing_comma};
use crate::json::Part;
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "inexact-number",
    says: "a text that needs a repair holds a number of thirty digits, or one beyond the range of a double",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

const NUMBERS: &[&str] =
    &["123456789012345678901234567890", "0.1234567890123456789012345", "1e400"];

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let digits = |spelling: &str| spelling.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let Some(at) = choose_token(source, &tokens, |_, token| {
        token.part == Part::Scalar && digits(&token.spelling)
    }) else {
        return false;
    };
    tokens[at].spelling = source.pick(NUMBERS).to_string();
    let _comma = trailing_comma::insert(&mut tokens, source);
    call.respell(tokens)
}
