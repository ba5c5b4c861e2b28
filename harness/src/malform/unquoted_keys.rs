//! Keys without quotes.

use super::{Call, Malformation, QUOTES, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "unquoted-keys",
    says: "keys that are identifiers stand without quotes",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) && !call.has_any(&["raw-controls", "invalid-escapes"]) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let mut bare: Vec<&mut Token> =
        tokens.iter_mut().filter(|token| is_identifier(token)).collect();
    if bare.is_empty() {
        return false;
    }
    if source.chance(1, 2) {
        bare.truncate(1);
    }
    for token in bare {
        token.spelling.clone_from(&token.meaning);
    }
    call.respell(tokens)
}

fn is_identifier(token: &Token) -> bool {
    let word = token.meaning.as_str();
    let letters = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let literal = ["true", "false", "null", "none", "nan", "infinity", "undefined"];
    token.part == Part::Key
        && letters
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !literal.contains(&word.to_ascii_lowercase().as_str())
}
