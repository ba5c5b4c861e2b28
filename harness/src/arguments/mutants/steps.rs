//! Steps and configurations with a planted bug.

use std::sync::atomic::{AtomicU32, Ordering};

use engine::{Grade, Policy, ToolConfig};
use serde_json::{Map, Value};

/// Names that lead to another tool than the one that is spelled so.
pub(super) const WRONG_ALIASES: &[(&str, &str)] = &[
    ("READ", "write"),
    ("Read", "write"),
    ("BASH", "read"),
    ("Bash", "read"),
    ("EDIT", "write"),
    ("Edit", "write"),
    ("GREP", "find"),
    ("Grep", "find"),
];

pub(super) fn inverted_policy(policy: Policy, grade: Grade) -> bool {
    match policy {
        Policy::Conservative => grade == Grade::Exact,
        Policy::Adaptive | Policy::Recover => grade == Grade::Adaptive,
    }
}

pub(super) fn timid_recover(policy: Policy, grade: Grade) -> bool {
    policy == Policy::Adaptive || grade == Grade::Exact
}

pub(super) fn widen_aliases(config: &mut ToolConfig) {
    for entry in config.preprocessors.iter_mut().filter(|entry| entry.kind.name == "alias") {
        entry.aliases.extend(["extra", "reason", "x-note"].map(str::to_owned));
        entry.aliases.sort();
        entry.accepts.clear();
    }
}

pub(super) fn open_gates(config: &mut ToolConfig) {
    for entry in &mut config.preprocessors {
        entry.gate.model_families.clear();
        entry.gate.providers.clear();
    }
}

pub(super) fn move_root_field(config: &mut ToolConfig) {
    if config.root_field.as_deref() == Some("pattern") {
        config.root_field = Some("path".to_owned());
    } else if config.root_field.is_some() {
        config.root_field = Some("elsewhere".to_owned());
    }
}

pub(super) fn add_member(mut value: Value) -> Value {
    if let Some(map) = value.as_object_mut() {
        map.insert("seen".to_owned(), true.into());
    }
    value
}

pub(super) fn panic_on_many(value: Value) -> Value {
    if value.as_object().is_some_and(|map| map.len() > 3) {
        // Unwinds without the message of an ordinary panic, which would fill the screen.
        std::panic::resume_unwind(Box::new("planted"));
    }
    value
}

pub(super) fn rename_path(mut value: Value) -> Value {
    if let Some(map) = value.as_object_mut()
        && let Some(path) = map.shift_remove("path")
    {
        map.insert("file_path".to_owned(), path);
    }
    value
}

pub(super) fn sort_keys(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sort_keys).collect(),
        Value::Object(map) => {
            let mut members: Vec<(String, Value)> = map.into_iter().collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            members
                .into_iter()
                .map(|(key, value)| (key, sort_keys(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        scalar => scalar,
    }
}

pub(super) fn every_other_time(value: Value) -> Value {
    static TURN: AtomicU32 = AtomicU32::new(0);
    if TURN.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) { add_member(value) } else { value }
}
