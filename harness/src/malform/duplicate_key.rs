//! A key twice, with different values.

use super::call::{choose_token, member_end};
use super::{Call, Malformation, Stage};
use crate::json::{self, Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "duplicate-key",
    says: "a key stands twice in one object, with different values",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let value_of = |key: usize| {
        tokens[key + 1..].iter().find(|token| !matches!(token.part, Part::Colon | Part::Gap))
    };
    let scalar = |key: usize| {
        value_of(key).is_some_and(|value| matches!(value.part, Part::Text | Part::Scalar))
    };
    let Some(key) =
        choose_token(source, &tokens, |at, token| token.part == Part::Key && scalar(at))
    else {
        return false;
    };
    let other = value_of(key).map_or(String::new(), different);
    let copy = [
        tokens[key].clone(),
        Token { part: Part::Colon, spelling: ":".to_owned(), meaning: String::new() },
        Token { part: Part::Scalar, spelling: other, meaning: String::new() },
    ];
    let comma = Token { part: Part::Comma, spelling: ",".to_owned(), meaning: String::new() };
    if source.chance(1, 2) {
        tokens.splice(key..key, copy.into_iter().chain([comma]));
    } else {
        let end = member_end(&tokens, key);
        tokens.splice(end..end, [comma].into_iter().chain(copy));
    }
    call.respell(tokens)
}

/// The spelling of another value of the same type.
pub(super) fn different(value: &Token) -> String {
    match value.spelling.as_str() {
        _ if value.is_string() => json::quote(&format!("{}-other", value.meaning)),
        "true" | "True" => "false".to_owned(),
        "false" | "False" => "true".to_owned(),
        "31" => "32".to_owned(),
        _ => "31".to_owned(),
    }
}
