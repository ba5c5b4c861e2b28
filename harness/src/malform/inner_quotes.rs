//! Quotes inside a string that were not escaped.

use super::call::choose_token;
use super::{Call, Malformation, QUOTES, Stage};
use crate::json::{self, Part};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "inner-quotes",
    says: "quotes inside a string are not escaped; the arguments that were meant may come out",
    stage: Stage::Token,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let chosen = choose_token(source, &tokens, |_, token| {
        token.part == Part::Text && token.meaning.contains('"')
    });
    let Some(at) = chosen else { return false };
    let escaped = json::quote(&tokens[at].meaning);
    let bare = format!("\"{}\"", escaped[1..escaped.len() - 1].replace("\\\"", "\""));
    if reads_as_more(&bare) {
        return false;
    }
    tokens[at].spelling = bare;
    if serde_json::from_str::<serde_json::Value>(&json::join(&tokens)).is_ok() {
        return false;
    }
    call.acceptable.push(call.original.clone());
    call.respell(tokens)
}

/// Whether quotes in a text happen to be those of strict JSON, which then says something else: judged
/// by itself, since other damage may stand around it.
fn reads_as_more(bare: &str) -> bool {
    [format!("{{\"key\":{bare}}}"), format!("{{{bare}:0}}"), format!("[{bare}]")]
        .iter()
        .any(|text| serde_json::from_str::<serde_json::Value>(text).is_ok())
}
