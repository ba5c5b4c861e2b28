//! A list or an object as JSON text.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::json::{self, Place, Spacing};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified",
    says: "a list or an object is sent as JSON text",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let Some((place, value)) = choose(call, source) else { return false };
    let spacing = *source.pick(&[Spacing::Dense, Spacing::Blank, Spacing::Lines]);
    call.put(place, Value::String(json::render(&value, spacing)))
}

/// A declared list or object, not an item, that holds one and is not doubted.
pub(super) fn choose(call: &Call, source: &mut dyn Source) -> Option<(Place, Value)> {
    call.choose(source, |site, value| {
        matches!(site.kind, Kind::List | Kind::Object)
            && !site.item
            && site.is_free()
            && site.kind.holds(value)
            && !is_doubted(value)
    })
}

/// Whether escapes in a text within a text would be doubted.
pub(super) fn is_doubted(value: &Value) -> bool {
    json::strings(value).into_iter().any(is_doubted_text)
}

/// Whether a text holds bells, or an escape right behind what could be a drive: without care for
/// escapes it could as well be a path.
pub(super) fn is_doubted_text(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let drive = |at: usize| {
        let before = at.checked_sub(1).map(|at| letters[at]);
        letters[at].is_ascii_alphabetic() && before.is_none_or(|letter| !letter.is_alphanumeric())
    };
    let escaped = |letter: char| matches!(letter, '\n' | '\r' | '\t' | '"' | '\'');
    let path = |(at, next): (usize, &[char])| drive(at) && next[1] == ':' && escaped(next[2]);
    text.contains(['\u{8}', '\u{c}']) || letters.windows(3).enumerate().any(path)
}
