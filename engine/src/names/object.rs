//! Cuts one JSON object off the front of a text.

use serde_json::Value;

use super::{Load, Names};

/// Splits `text`, which begins with `{`, behind the object that opens there.
///
/// `None` if the object does not end. One pass, no recursion. Both kinds of brackets are counted
/// together; whether they match, and what stands between them, is for a reader to judge.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('{') {
        return None;
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return text.split_at_checked(at + 1);
        }
    }
    None
}

/// The object that `text` consists of, up to a tail that `is_end` accepts.
pub(super) fn lift(text: &str, names: &Names<'_>, is_end: fn(&str) -> bool) -> Load {
    split(text)
        .filter(|(_, tail)| is_end(tail))
        .and_then(|(object, _)| (names.read)(object))
        .filter(Value::is_object)
        .map_or(Load::CutOff, Load::Arguments)
}
