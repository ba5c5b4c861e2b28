//! What was sent is in the result, or a change says where it went.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::json;
use crate::malform::Form;
use crate::oracle::leaves::fully_decoded;
use engine::Operation;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "dropped_leaves_stand_in_changes",
    says: "Every word that was sent is in the repair, or is of a kind that a change is known to leave out.",
    kills: &["last-duplicate-wins", "first-of-two-values", "drop-what-does-not-fit"],
    check,
};

/// Bytes of a call whose words are still looked for.
const BYTES_MAX: usize = 1 << 13;

/// Liberties that leave out text that was never part of the arguments.
const SKIPPING: &[&str] = &["read.skip-comment", "read.skip-surrounding-text", "read.unwrap-fence"];

/// Words that a template, a link or a placeholder leaves behind.
const IDLE: &[&str] = &[
    "arg",
    "key",
    "value",
    "tool",
    "call",
    "http",
    "https",
    "null",
    "none",
    "true",
    "false",
    "undefined",
    "amp",
    "quot",
    "apos",
];

/// Members of a wrapper that only repeat which call it is.
const LABELS: &[&str] = &["name", "tool", "tool_name", "toolName", "type", "id"];

fn check(run: &Run<'_>) -> Verdict {
    let Some(args) = run.answer.args() else { return Verdict::Vacuous };
    let changes = run.answer.changes();
    let skips = changes.iter().any(|change| SKIPPING.contains(&change.rule));
    let raw = match &run.case.call.form {
        Form::Text(text) => text.clone(),
        Form::Value(value) => texts(value),
    };
    // Of an engine that cannot be asked what it read, the names on the way are not known.
    if skips || run.case.hook || raw.len() > BYTES_MAX || run.start().is_none() {
        return Verdict::Vacuous;
    }
    let kept = fully_decoded(&kept(run, args)).to_lowercase();
    let lost = |word: &&str| {
        word.len() >= 3
            && !word.starts_with(|c: char| c.is_ascii_digit())
            && !IDLE.contains(word)
            && !kept.contains(*word)
    };
    let raw = fully_decoded(&raw).to_lowercase();
    match raw.split(|c: char| !c.is_alphanumeric()).find(lost) {
        None => Verdict::Holds,
        Some(word) => {
            Verdict::Broken(format!("`{word}` was sent, and neither {args} nor a change has it"))
        }
    }
}

/// Everything that counts as kept: the result, the names of all fields on the way, and the labels of a wrapper.
fn kept(run: &Run<'_>, args: &Value) -> String {
    let changes = run.answer.changes();
    let mut kept = texts(args) + &keys(args);
    let operations = || changes.iter().flat_map(|change| &change.operations);
    let written = operations().filter_map(|operation| match operation {
        Operation::Replace { value, .. } => Some(value),
        _ => None,
    });
    let unwraps = changes.iter().any(|change| change.rule == "envelope.unwrap-arguments");
    for value in run.start().into_iter().chain(written) {
        kept.push_str(&keys(value));
        let labels = value.as_object().into_iter().flatten();
        for (_, label) in labels.filter(|(key, _)| unwraps && LABELS.contains(&key.as_str())) {
            kept.push_str(&texts(label));
        }
    }
    for operation in operations() {
        kept.push_str(operation.path().as_str());
        if let Operation::Move { from, .. } = operation {
            kept.push_str(from.as_str());
        }
    }
    kept
}

/// The texts in a value, one a line.
fn texts(value: &Value) -> String {
    let leaves = json::leaves(value);
    leaves.iter().filter_map(|(_, leaf)| leaf.as_str()).flat_map(|text| [text, "\n"]).collect()
}

/// The keys in a value, one a line.
fn keys(value: &Value) -> String {
    let mut found = String::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                map.keys().for_each(|key| {
                    found.push_str(key);
                    found.push('\n');
                });
                open.extend(map.values());
            }
            _ => {}
        }
    }
    found
}
