//! JSON text as the generator damages it, read the slow and plain way.
//!
//! Shares no code with the engine's reader: raw control characters are escaped, missing closers are
//! appended, and the rest is left to `serde_json`.

use serde_json::Value;

/// The value a text holds; `None` if it does not begin as JSON or cannot be read.
///
/// Missing closers are appended only to `complete` it, and only after a complete value.
pub(super) fn decode(text: &str, complete: bool) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with(['{', '[', '"', 'n']) {
        return None;
    }
    let (escaped, open) = scan(text);
    if open.is_empty() {
        return serde_json::from_str(&escaped).ok();
    }
    let may_go_on = |last: char| last.is_ascii_digit() || matches!(last, ',' | ':' | '{' | '[');
    if !complete || open.contains('"') || text.ends_with(may_go_on) {
        return None;
    }
    let closers: String = open.chars().rev().collect();
    serde_json::from_str(&(escaped + &closers)).ok()
}

/// True if the text begins as JSON and ends before it is complete.
pub(super) fn is_cut(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(['{', '[', '"']) && !scan(text).1.is_empty()
}

/// The text with control characters in strings escaped, and the closers that are missing.
fn scan(text: &str) -> (String, String) {
    let (mut escaped, mut open) = (String::new(), String::new());
    let (mut in_string, mut after_backslash) = (false, false);
    for character in text.chars() {
        match character {
            '\n' if in_string => escaped.push_str("\\n"),
            '\r' if in_string => escaped.push_str("\\r"),
            '\t' if in_string => escaped.push_str("\\t"),
            other => escaped.push(other),
        }
        if in_string {
            in_string = after_backslash || character != '"';
            after_backslash = character == '\\' && !after_backslash;
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' if open.ends_with(character) => drop(open.pop()),
            _ => {}
        }
    }
    if in_string {
        open.push('"');
    }
    (escaped, open)
}
