//! Readers with a planted bug, each around the real one.
#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is that of the engine's own reader"
)]

use engine::reader::{ReadError, ReadErrorKind, ReadOptions, Reading, Stop, read};
use serde_json::Value;

type Read = Result<Reading, ReadError>;

/// A reading of `value` that took no liberty.
fn reading_of(value: Value, options: &ReadOptions) -> Read {
    let mut reading = read("null", options)?;
    reading.value = value;
    Ok(reading)
}

/// The first ending that makes a cut text readable.
fn complete(text: &str, options: &ReadOptions, endings: &[&str], stop: Stop) -> Read {
    let cut = match read(text, options) {
        Err(error) if error.kind == ReadErrorKind::CutOff(stop) => error,
        other => return other,
    };
    let completed = endings.iter().find_map(|end| read(&format!("{text}{end}"), options).ok());
    completed.ok_or(cut)
}

pub(super) fn complete_strings(text: &str, options: &ReadOptions) -> Read {
    complete(text, options, &["\"}", "\"", "\"]}", "\"}]}"], Stop::InString)
}

pub(super) fn complete_numbers(text: &str, options: &ReadOptions) -> Read {
    complete(text, options, &["}", "]}", "}]}"], Stop::InNumber)
}

pub(super) fn close_unnoticed(text: &str, options: &ReadOptions) -> Read {
    let mut reading = read(text, options)?;
    reading.liberties.retain(|used| !used.liberty.truncation);
    Ok(reading)
}

pub(super) fn last_duplicate(text: &str, options: &ReadOptions) -> Read {
    match read(text, options) {
        Err(error) if matches!(error.kind, ReadErrorKind::DuplicateKey { .. }) => {
            match serde_json::from_str(text) {
                Ok(value) => reading_of(value, options),
                Err(_) => Err(error),
            }
        }
        other => other,
    }
}

pub(super) fn first_of_two(text: &str, options: &ReadOptions) -> Read {
    match read(text, options) {
        Err(error) if error.kind == ReadErrorKind::TwoValues => {
            match serde_json::Deserializer::from_str(text).into_iter().next() {
                Some(Ok(value)) => reading_of(value, options),
                _ => Err(error),
            }
        }
        other => other,
    }
}

pub(super) fn ignore_inexact(text: &str, options: &ReadOptions) -> Read {
    let mut reading = read(text, options)?;
    reading.inexact = None;
    Ok(reading)
}

pub(super) fn every_prefix(text: &str, options: &ReadOptions) -> Read {
    let mut reading = read(text, options)?;
    if text.len() < 2_000 {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            reading.steps += match read(&text[..end], options) {
                Ok(prefix) => prefix.steps,
                Err(error) => error.steps,
            };
        }
    }
    Ok(reading)
}

pub(super) fn round(text: &str, options: &ReadOptions) -> Read {
    let mut reading = read(text, options)?;
    edit_leaves(&mut reading.value, &|leaf| {
        let truncated = leaf.as_f64().map(|float| format!("{:.0}", float.trunc()));
        if let Some(whole) = truncated.and_then(|text| text.parse::<i64>().ok())
            && leaf.is_f64()
        {
            *leaf = whole.into();
        }
    });
    Ok(reading)
}

pub(super) fn trim(text: &str, options: &ReadOptions) -> Read {
    let mut reading = read(text, options)?;
    edit_leaves(&mut reading.value, &|leaf| {
        if let Some(text) = leaf.as_str() {
            *leaf = text.trim().into();
        }
    });
    Ok(reading)
}

pub(super) fn wrong_reason(text: &str, options: &ReadOptions) -> Read {
    read(text, options).map_err(|error| match error.kind {
        ReadErrorKind::Broken => ReadError { kind: ReadErrorKind::LoneSurrogate, ..error },
        _ => error,
    })
}

/// Edits every leaf of a value; the reader has bounded its depth.
pub(super) fn edit_leaves(value: &mut Value, edit: &dyn Fn(&mut Value)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| edit_leaves(item, edit)),
        Value::Object(map) => map.values_mut().for_each(|item| edit_leaves(item, edit)),
        leaf => edit(leaf),
    }
}
