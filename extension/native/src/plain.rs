//! What needs no session: settings, telemetry, classes of errors, the mark on a row.

#![cfg_attr(test, allow(dead_code, reason = "the binding leaves its exports out of tests"))]

use engine::advisor::{ErrorFacts, classify as class_of};
use engine::lifecycle;
use engine::settings::{KEYS, Loaded};
use engine::telemetry::{By, LogReader, Look, Rotation, Stats, rotate as rotation};
use napi::Result;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use serde_json::{Value, json};

use crate::input::{object, text};

/// Changes settings of a file, `null` if there is none: `{"text"}` to write, or `{"error"}`.
#[napi(catch_unwind)]
pub fn save_settings(file: Option<String>, changes: String) -> Result<String> {
    let loaded = Loaded::read(file.as_deref());
    let mut settings = loaded.settings.clone();
    for (name, value) in object(&changes)? {
        if let Err(error) = settings.set(&name, &value) {
            return Ok(json!({"error": error.to_string()}).to_string());
        }
    }
    Ok(match loaded.save(&settings) {
        Ok(text) => json!({"text": text}).to_string(),
        Err(error) => json!({"error": error.to_string()}).to_string(),
    })
}

/// The settings there are: a JSON list of `{"name", "accepts", "says"}`.
#[napi(catch_unwind)]
pub fn setting_keys() -> String {
    let rows = KEYS.iter().map(|key| {
        json!({"name": key.name, "accepts": key.accepts, "says": key.says, "aliases": key.aliases})
    });
    rows.collect::<Value>().to_string()
}

/// The counts of a log as a page at most `width` columns wide, or as JSON.
#[napi(catch_unwind)]
pub fn stats(
    log: Uint8Array,
    width: u32,
    by: Option<Vec<String>>,
    as_json: Option<bool>,
) -> String {
    let mut stats = Stats::default();
    let mut reader = LogReader::default();
    reader.push(&log, &mut |record| stats.add(&record));
    let skipped = reader.finish(&mut |record| stats.add(&record));
    let sections: Vec<By> =
        by.unwrap_or_default().iter().filter_map(|name| By::from_name(name)).collect();
    if as_json.unwrap_or_default() {
        return stats.to_json(&sections).to_string();
    }
    let mut page = stats.text(&sections, width as usize, &Look::PLAIN);
    for line in skipped.explained() {
        page.push_str(&line);
        page.push('\n');
    }
    page
}

/// The byte from which a log that has grown too long is kept; nothing if all of it is.
#[napi(catch_unwind)]
pub fn rotate(log: Uint8Array, bytes_max: Option<u32>, bytes_kept: Option<u32>) -> Option<f64> {
    let mut limits = Rotation::DEFAULT;
    if let Some(most) = bytes_max {
        limits.bytes_max = most as usize;
    }
    if let Some(kept) = bytes_kept {
        limits.bytes_kept = kept as usize;
    }
    let start = rotation(&log, limits)?;
    u32::try_from(start).ok().map(f64::from)
}

/// The mark for these rules on a result row of `columns`.
#[napi(catch_unwind)]
pub fn indicator(rules: Vec<String>, columns: u32) -> String {
    lifecycle::indicator(&rules, columns as usize)
}

/// The class of a provider's error, as `{"class", "rule"}`; `facts` may say `status`, `provider`.
#[napi(catch_unwind)]
pub fn classify_error(error: String, facts: Option<String>) -> Result<String> {
    let facts = facts.as_deref().map(object).transpose()?.unwrap_or_default();
    let status = facts.get("status").and_then(Value::as_u64);
    let facts = ErrorFacts {
        status: status.and_then(|status| u16::try_from(status).ok()),
        provider: text(&facts, "provider"),
        now_ms: None,
    };
    let found = class_of(&error, &facts);
    Ok(json!({"class": found.class.id, "rule": found.rule}).to_string())
}

/// Panics, for the tests that show that a panic ends as an `Error`.
#[napi(catch_unwind)]
pub fn panic_on_purpose() {
    std::panic::panic_any("a planted panic");
}
