//! A comment between members.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::{Part, Token};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "comment",
    says: "a comment stands between two tokens",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

const COMMENTS: &[&str] =
    &["/* the file */", " // first lines only\n", "/**/", "\n  // as asked, nothing else\n"];

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some(mut tokens) = call.tokens(source) else { return false };
    let Some(at) =
        choose_token(source, &tokens, |_, token| matches!(token.part, Part::Open | Part::Comma))
    else {
        return false;
    };
    tokens.insert(at + 1, Token::gap(*source.pick(COMMENTS)));
    call.respell(tokens)
}
