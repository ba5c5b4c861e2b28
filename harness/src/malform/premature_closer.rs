//! The root is closed before its last members.

use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "premature-closer",
    says: "the root is closed once too early; the arguments that were meant may come out",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if !call.is_object() || call.has_any(&["trailing-comma"]) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.part {
            Part::Open => depth += 1,
            Part::Close => depth = depth.saturating_sub(1),
            Part::Comma if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    if commas.is_empty() {
        return false;
    }
    let at = *source.pick(&commas);
    tokens
        .insert(at, Token { part: Part::Close, spelling: "}".to_owned(), meaning: String::new() });
    call.acceptable.push(call.original.clone());
    call.respell(tokens)
}
