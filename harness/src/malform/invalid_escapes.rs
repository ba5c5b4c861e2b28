//! Backslashes that were not doubled.

use super::call::choose_token;
use super::{Call, Malformation, QUOTES, Stage};
use crate::json::Part;
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "invalid-escapes",
    says: "a regex or Windows path is written with single backslashes, one of them an invalid escape",
    stage: Stage::Token,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(QUOTES) {
        return false;
    }
    let Some(mut tokens) = call.tokens(source) else { return false };
    let chosen = choose_token(source, &tokens, |_, token| {
        token.part == Part::Text && plainly_literal(&token.meaning)
    });
    let Some(at) = chosen else { return false };
    tokens[at].spelling = format!("\"{}\"", tokens[at].meaning);
    call.respell(tokens)
}

/// Whether a text with single backslashes can only mean those backslashes: an escape in it is invalid, none
/// escapes a quote of any kind, a backslash or a code point, and a line break or tab only in a Windows path.
fn plainly_literal(text: &str) -> bool {
    let mut after = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => after.extend(chars.next().or(Some('"'))),
            '"' => return false,
            c if c.is_control() => return false,
            _ => {}
        }
    }
    let drive = text.get(1..3) == Some(":\\")
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.contains('<');
    let forbidden = |c: &char| "\"\\/ux'“”„‟‘’".contains(*c) || (!drive && "ntr".contains(*c));
    after.iter().any(|c| !"\"\\/bfnrtu".contains(*c))
        && !after.iter().any(|c| c.is_control() || forbidden(c))
}
