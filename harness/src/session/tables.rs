//! The engine's tables about settings, and what a session can reach.

use engine::settings::{KEYS, MIGRATIONS, PROFILES};

use super::case::script::DOINGS;
use crate::catalog::Section;

/// What happens in sessions, beside what happens to calls.
const HAPPENINGS: &[&str] = &[
    "run-ended",
    "shutdown",
    "note",
    "unnamed",
    "nested",
    "strict",
    "aged-or-evicted",
    "torn",
    "foreign",
    "newer",
    "older",
    "rotated",
    "unreadable",
    "repeated",
];

/// Reports, happenings, settings and older shapes, by name.
pub(super) fn reachable() -> Vec<&'static str> {
    let doings = DOINGS.iter().map(|row| row.1);
    let keys = KEYS.iter().map(|key| key.name);
    let shapes = MIGRATIONS.iter().map(|row| row.id);
    doings.chain(HAPPENINGS.iter().copied()).chain(keys).chain(shapes).collect()
}

pub(super) fn sections() -> Vec<Section> {
    let keys = KEYS.iter().map(|key| {
        let older = if key.aliases.is_empty() { "none".to_owned() } else { key.aliases.join(", ") };
        [key.name.to_owned(), key.accepts.to_owned(), key.says.to_owned(), older]
    });
    let profiles = PROFILES.iter().map(|row| {
        let texts = [row.policy.name(), row.grammar.name(), row.unknown_text.name(), row.says];
        texts.map(str::to_owned)
    });
    let shapes = MIGRATIONS.iter().map(|row| {
        let examples = row.examples.iter().map(|(before, means)| format!("{before} → {means}"));
        [row.id.to_owned(), row.fires.to_owned(), examples.collect::<Vec<_>>().join("; ")]
    });
    vec![
        Section::new("Settings", ["key", "accepts", "what it does", "older names"], keys),
        Section::new(
            "Profiles",
            ["profile", "calls in text", "unknown tools in text", "in words"],
            profiles,
        ),
        Section::new("Older settings files", ["shape", "what it is", "examples"], shapes),
    ]
}
