//! The settings, one row a key: what it may be, what it is by default, and what it does.

use serde_json::Value;

use super::Settings;
use crate::POLICIES;
use crate::grammar::{MODES, UNKNOWN_TOOLS};

/// The most names that `grammarAllowedTools` may hold.
const ALLOWED_TOOLS_MAX: usize = 1024;

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The member of the settings file.
    pub name: &'static str,
    /// What it may be, in words; every choice is quoted.
    pub accepts: &'static str,
    /// What it does, for a menu.
    pub says: &'static str,
    /// Older names of the same setting; read where the name itself is absent.
    pub aliases: &'static [&'static str],
    /// Takes a value of the file; false, and nothing changed, if it may not be this one.
    pub(super) take: fn(&mut Settings, &Value) -> bool,
    /// The value as the file holds it; `None` where the profile decides.
    pub(super) give: fn(&Settings) -> Option<Value>,
}

/// Every setting, in the order they are printed.
pub const KEYS: &[Key] = &[
    Key {
        name: "repair",
        accepts: "true or false",
        says: "repair malformed tool calls",
        aliases: &[],
        take: |settings, value| flag(&mut settings.repair, value),
        give: |settings| Some(settings.repair.into()),
    },
    Key {
        name: "advisor",
        accepts: "true or false",
        says: "tell the model why a request to the provider failed",
        aliases: &[],
        take: |settings, value| flag(&mut settings.advisor, value),
        give: |settings| Some(settings.advisor.into()),
    },
    Key {
        name: "policyProfile",
        accepts: "\"conservative\", \"adaptive\" or \"recover\"",
        says: "how far repair may go",
        aliases: &["profile"],
        take: |settings, value| match POLICIES.iter().find(|row| value == row.1) {
            Some((policy, _, _)) => set(&mut settings.profile, *policy),
            None => false,
        },
        give: |settings| Some(settings.profile.name().into()),
    },
    Key {
        name: "grammarRecovery",
        accepts: "\"off\", \"observe\", \"strip\" or \"recover\"",
        says: "what to do about calls in the model's text, instead of what the profile does",
        aliases: &["grammarMode"],
        take: |settings, value| match MODES.iter().find(|row| value == row.1) {
            Some((mode, _)) => set(&mut settings.grammar, Some(*mode)),
            None => false,
        },
        give: |settings| settings.grammar.map(|mode| mode.name().into()),
    },
    Key {
        name: "unknownGrammarText",
        accepts: "\"preserve\" or \"strip\"",
        says: "what to do about calls in text to a tool that is not known",
        aliases: &["unknownToolText"],
        take: |settings, value| match UNKNOWN_TOOLS.iter().find(|row| value == row.1) {
            Some((choice, _)) => set(&mut settings.unknown_text, Some(*choice)),
            None => false,
        },
        give: |settings| settings.unknown_text.map(|choice| choice.name().into()),
    },
    Key {
        name: "grammarAllowedTools",
        accepts: "a list of tool names; empty for all active tools",
        says: "the tools that a call in text may run",
        aliases: &[],
        take: |settings, value| match names(value) {
            Some(names) => set(&mut settings.allowed_tools, names),
            None => false,
        },
        give: |settings| Some(settings.allowed_tools.clone().into()),
    },
    Key {
        name: "showIndicator",
        accepts: "true or false",
        says: "mark repaired calls on their result row",
        aliases: &[],
        take: |settings, value| flag(&mut settings.show_indicator, value),
        give: |settings| Some(settings.show_indicator.into()),
    },
    Key {
        name: "showNotes",
        accepts: "true or false",
        says: "show the note text below the mark",
        aliases: &[],
        take: |settings, value| flag(&mut settings.show_notes, value),
        give: |settings| Some(settings.show_notes.into()),
    },
    Key {
        name: "telemetry",
        accepts: "true or false",
        says: "count repairs in a file on this machine, without any value",
        aliases: &[],
        take: |settings, value| flag(&mut settings.telemetry, value),
        give: |settings| Some(settings.telemetry.into()),
    },
];

/// The row of this name.
pub(super) fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

fn set<T>(slot: &mut T, value: T) -> bool {
    *slot = value;
    true
}

fn flag(slot: &mut bool, value: &Value) -> bool {
    match value.as_bool() {
        Some(value) => set(slot, value),
        None => false,
    }
}

fn names(value: &Value) -> Option<Vec<String>> {
    let items = value.as_array().filter(|items| items.len() <= ALLOWED_TOOLS_MAX)?;
    items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
