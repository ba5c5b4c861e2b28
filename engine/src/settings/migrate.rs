//! Older shapes of the settings file, one row a shape.

use serde_json::{Map, Value};

/// Settings by name, and their values.
type Meaning = Vec<(&'static str, Value)>;

/// One older shape, and what its members mean today.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// The name in diagnostics.
    pub id: &'static str,
    /// The shape.
    pub fires: &'static str,
    /// The shape as a file, and the settings it means, for the tests.
    pub examples: &'static [(&'static str, &'static str)],
    /// The settings that follow from the file; empty if it has another shape.
    pub(super) apply: fn(&Map<String, Value>) -> Meaning,
}

/// The older shapes. All rows look at the file as it is; where two speak of one key, the first wins.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        id: "profile-from-grammar",
        fires: "`grammarRecovery` from the time before profiles",
        examples: &[
            (r#"{"grammarRecovery":"recover"}"#, r#"{"policyProfile":"recover"}"#),
            (r#"{"grammarRecovery":"strip"}"#, r#"{"policyProfile":"adaptive"}"#),
            (r#"{"grammarRecovery":"off"}"#, r#"{"policyProfile":"adaptive"}"#),
        ],
        apply: profile_from_grammar,
    },
    Migration {
        id: "grammar-block",
        fires: "a `grammarRepair` block, as pi-tool-repair keeps it",
        examples: &[
            (
                r#"{"grammarRepair":{"enabled":true,"mode":"recover"}}"#,
                r#"{"policyProfile":"recover"}"#,
            ),
            (
                r#"{"grammarRepair":{"enabled":true,"mode":"strip"}}"#,
                r#"{"policyProfile":"adaptive","grammarRecovery":"strip"}"#,
            ),
            (
                r#"{"grammarRepair":{"enabled":false,"mode":"recover"}}"#,
                r#"{"policyProfile":"adaptive","grammarRecovery":"off"}"#,
            ),
        ],
        apply: grammar_block,
    },
];

fn has_profile(file: &Map<String, Value>) -> bool {
    ["policyProfile", "profile"].iter().any(|name| file.contains_key(*name))
}

/// Who had asked for recovery keeps it, and everybody else keeps what they had.
fn profile_from_grammar(file: &Map<String, Value>) -> Meaning {
    let mode = file.get("grammarRecovery").and_then(Value::as_str);
    match mode.filter(|_| !has_profile(file)) {
        Some("recover") => vec![("policyProfile", "recover".into())],
        Some("off" | "observe" | "strip") => vec![("policyProfile", "adaptive".into())],
        _ => Vec::new(),
    }
}

/// Text becomes a call only where the file says so in full: enabled, and mode recover.
fn grammar_block(file: &Map<String, Value>) -> Meaning {
    let block = file.get("grammarRepair").and_then(Value::as_object);
    let newer = has_profile(file) || file.contains_key("grammarRecovery");
    let Some(block) = block.filter(|_| !newer) else { return Vec::new() };
    let enabled = block.get("enabled").and_then(Value::as_bool).unwrap_or_default();
    match (enabled, block.get("mode").and_then(Value::as_str)) {
        (true, Some("recover")) => vec![("policyProfile", "recover".into())],
        (true, _) => {
            vec![("policyProfile", "adaptive".into()), ("grammarRecovery", "strip".into())]
        }
        (false, _) => {
            vec![("policyProfile", "adaptive".into()), ("grammarRecovery", "off".into())]
        }
    }
}
