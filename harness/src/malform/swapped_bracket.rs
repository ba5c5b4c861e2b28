//! The wrong kind of closer.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::Part;
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "swapped-bracket",
    says: "a closer is of the wrong kind; the arguments that were meant may come out",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let Some(at) = choose_token(source, &tokens, |_, token| token.part == Part::Close) else {
        return false;
    };
    tokens[at].spelling = String::from(if tokens[at].spelling == "}" { "]" } else { "}" });
    call.acceptable.push(call.original.clone());
    call.respell(tokens)
}
