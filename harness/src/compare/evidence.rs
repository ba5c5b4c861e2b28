//! What a ledger row must see in the call itself, found without the engine's repair.

use engine::host::convert;
use serde_json::Value;

use super::text::{self, decode};
use super::{Difference, HOST};

/// The argument text, without lists of one and encodings around it.
fn inner_text(given: &Value) -> Option<String> {
    match given {
        Value::Array(items) if items.len() == 1 => inner_text(&items[0]),
        Value::String(text) => match decode(text, false) {
            Some(inner @ (Value::String(_) | Value::Array(_))) => {
                inner_text(&inner).or_else(|| Some(text.clone()))
            }
            _ => Some(text.clone()),
        },
        _ => None,
    }
}

/// Every leaf of a value.
fn leaves(value: &Value) -> Vec<&Value> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(next) = open.pop() {
        match next {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            leaf => found.push(leaf),
        }
    }
    found
}

fn texts(value: &Value) -> Vec<&str> {
    leaves(value).into_iter().filter_map(Value::as_str).collect()
}

/// The derivation says it all.
pub(super) fn always(_: &Difference<'_>) -> bool {
    true
}

pub(super) fn is_cut(difference: &Difference<'_>) -> bool {
    inner_text(difference.given).is_some_and(|text| text::is_cut(&text))
}

pub(super) fn is_cut_under_conservative(difference: &Difference<'_>) -> bool {
    difference.peer.policy == "conservative" && is_cut(difference)
}

/// The root text is blank or no object; or a text in it is an object where an item belongs.
pub(super) fn is_blank_or_other_json(difference: &Difference<'_>) -> bool {
    let decoded = |text: &str| decode(text, false);
    match difference.given {
        Value::String(text) => {
            text.trim().is_empty() || decoded(text).is_some_and(|value| !value.is_object())
        }
        given => texts(given).into_iter().filter_map(decoded).any(|value| value.is_object()),
    }
}

/// The root text is a scalar of JSON, holds pieces of JSON or markup, or has several lines.
pub(super) fn is_not_plain(difference: &Difference<'_>) -> bool {
    let Some(text) = difference.given.as_str().map(str::trim) else { return false };
    serde_json::from_str::<Value>(text).is_ok_and(|value| !value.is_object())
        || ["<", "](", "{}", "{\"", "\n"].iter().any(|piece| text.contains(piece))
}

/// The path that the call reads is the text of an object or a list.
pub(super) fn path_is_json(difference: &Difference<'_>) -> bool {
    let path = difference.reading.get("path").and_then(Value::as_str);
    path.and_then(|text| serde_json::from_str::<Value>(text).ok())
        .is_some_and(|value| value.is_object() || value.is_array())
}

/// The root text has several words where one path belongs, or begins beyond ASCII as a command.
pub(super) fn suits_no_field(difference: &Difference<'_>) -> bool {
    let Some(text) = difference.given.as_str().map(str::trim) else { return false };
    match difference.tool.root_field() {
        Some("path") => text.contains(' ') && !text.starts_with(['/', '.', '~']),
        Some("command") => !text.starts_with(|first: char| first.is_ascii()),
        _ => false,
    }
}

/// The root text, or a text where a list belongs, begins or goes on in brackets.
pub(super) fn is_bracketed(difference: &Difference<'_>) -> bool {
    match difference.given {
        Value::String(text) => text.contains(['[', '{']),
        given => texts(given).iter().any(|text| text.starts_with(['[', '{'])),
    }
}

/// A backslash stands before a raw control character.
pub(super) fn has_torn_escape(difference: &Difference<'_>) -> bool {
    let torn = |text: String| {
        text.chars().zip(text.chars().skip(1)).any(|(a, b)| a == '\\' && b.is_control())
    };
    inner_text(difference.given).is_some_and(torn)
}

/// The call as it reads does not fit, and the host or the peer bends it until it does.
pub(super) fn is_bent(difference: &Difference<'_>) -> bool {
    let (reading, tool) = (&difference.reading, difference.tool);
    let said = texts(reading);
    let invented = leaves(reading).into_iter().filter(|leaf| !leaf.is_string()).any(|leaf| {
        let spelled = leaf.to_string();
        !said.contains(&spelled.as_str()) && texts(&difference.peer.args).contains(&&*spelled)
    });
    let host = || convert(HOST, tool.origin(), tool.schema_document(), reading).is_some();
    !tool.accepts(reading) && (invented || host())
}

pub(super) fn hook_changed(difference: &Difference<'_>) -> bool {
    *difference.given != difference.peer.input && difference.ours.rules == ["owner-hook"]
}

pub(super) fn has_key_tokens(difference: &Difference<'_>) -> bool {
    difference.given.to_string().contains("<arg_key>")
}

/// Some text of ours is the peer's with something more at its ends.
pub(super) fn peer_stripped_more(difference: &Difference<'_>) -> bool {
    let (reading, peer) = (texts(&difference.reading), texts(&difference.peer.args));
    reading.iter().any(|text| {
        !peer.contains(text) && peer.iter().any(|less| *less != *text && text.contains(*less))
    })
}

pub(super) fn is_listed_text(difference: &Difference<'_>) -> bool {
    inner_text(difference.given).is_some()
}

pub(super) fn reads_as_nothing(difference: &Difference<'_>) -> bool {
    difference.reading.as_object().is_some_and(serde_json::Map::is_empty)
}

pub(super) fn has_empty_text(difference: &Difference<'_>) -> bool {
    texts(&difference.reading).contains(&"")
}
