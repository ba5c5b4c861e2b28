//! Half of a surrogate pair.

use super::call::choose_token;
use super::{Call, Malformation, Stage};
use crate::json::Part;
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "lone-surrogate",
    says: "a string holds the escape of half a surrogate pair",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(&["invalid-escapes"]) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let strict = choose_token(source, &tokens, |_, token| {
        token.part == Part::Text && token.spelling.starts_with('"')
    });
    let Some(at) = strict else { return false };
    let half = *source.pick(&["\\ud83c", "\\udf00", "\\udc00\\ud800"]);
    tokens[at].spelling.insert_str(1, half);
    call.respell(tokens)
}
