//! The outermost closers are missing.

use super::{Call, Malformation, Stage, TAILS};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "missing-closers",
    says: "closers are missing at the end, after a complete value that is no number",
    stage: Stage::Token,
    lossless: true,
    conservative: false,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(TAILS) || !call.is_object() {
        return false;
    }
    let Some(tokens) = call.tokens(source) else { return false };
    let ends: Vec<usize> = (1..tokens.len())
        .rev()
        .take_while(|at| matches!(tokens[*at].part, Part::Close | Part::Gap))
        .filter(|at| tokens[*at].part == Part::Close && complete(&tokens[..*at]))
        .collect();
    if ends.is_empty() {
        return false;
    }
    let end = *source.pick(&ends);
    call.respell(tokens[..end].to_vec())
}

/// Whether tokens end in a value that nothing could continue, white space aside.
fn complete(tokens: &[Token]) -> bool {
    let Some(last) =
        tokens.iter().rfind(|token| token.part != Part::Gap || !token.spelling.trim().is_empty())
    else {
        return false;
    };
    match last.part {
        Part::Close => true,
        Part::Text => last.spelling.ends_with('"') && !last.spelling.ends_with("\\\""),
        Part::Scalar => ["true", "false", "null"].contains(&last.spelling.as_str()),
        _ => false,
    }
}
