//! More nesting than any tool declares.

use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "over-deep",
    says: "an undeclared member is nested deeper than any reader goes",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if !call.is_object() {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let depth = *source.pick(&[200_usize, 129, 1_000, 20_000]);
    let filled = tokens.iter().any(|token| token.part == Part::Key);
    let nest = format!(
        "\"zz_deep\":{}{}{}",
        "[".repeat(depth),
        "]".repeat(depth),
        if filled { "," } else { "" }
    );
    tokens.insert(1, Token::gap(nest));
    call.respell(tokens)
}
