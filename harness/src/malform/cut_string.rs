//! A text that ends inside its last string.

use super::call::whole_leaves;
use super::{Call, Malformation, Stage};
use crate::generate::hostile::boundary;
use crate::json::{self, Part};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "cut-string",
    says: "the text is cut inside its last string; what is left of that string may not come out",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(tokens) = call.tokens(source) else { return false };
    let Some(last) = tokens.iter().rposition(|token| token.part == Part::Text) else {
        return false;
    };
    let spelling = &tokens[last].spelling;
    let quote = spelling.chars().next().map_or(0, char::len_utf8);
    let kept =
        boundary(spelling, spelling.len() - 1 - source.index(spelling.len() - quote)).max(quote);
    call.accepts = Some(whole_leaves);
    kept < spelling.len()
        && call.send(format!("{}{}", json::join(&tokens[..last]), &spelling[..kept]))
}
