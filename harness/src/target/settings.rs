//! Settings files as users leave them: read, changed, saved.

use engine::settings::{Loaded, PROFILES, Settings};
use serde_json::{Map, Value, json};

use super::raw::{Raw, require, verdicts};
use super::seeds::settings_texts;
use super::{Target, hold};
use crate::area::{Spent, Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "settings",
    says: "Text: one byte that says what is changed, then the settings file.",
    area: "session",
    run,
    seeds: || settings_texts().into_iter().map(|text| [&[0], text.as_bytes()].concat()).collect(),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("settings", "session", run(data, Wanted::default()));
}

fn run(data: &[u8], _: Wanted<'_>) -> Option<Trial> {
    let (edit, text) = data.split_first()?;
    let text = String::from_utf8_lossy(text);
    Some(Trial {
        case: Box::new(Raw(text.as_bytes().to_vec())),
        verdicts: verdicts("saves_read_back", held(&text, usize::from(*edit))),
        seen: None,
        miss: None,
        spent: Spent::default(),
        shown: vec![("loaded", format!("{:?}", Loaded::read(Some(&text))))],
    })
}

/// What a user changes, by key and value.
fn edits() -> [(&'static str, Value); 6] {
    [
        ("advisor", json!(false)),
        ("policyProfile", json!("recover")),
        ("grammarRecovery", Value::Null),
        ("grammarRecovery", json!("strip")),
        ("grammarAllowedTools", json!(["a\"b\\"])),
        ("showNotes", json!(true)),
    ]
}

fn held(text: &str, edit: usize) -> Result<(), (&'static str, String)> {
    let loaded = Loaded::read(Some(text));
    let edits = edits();
    let (key, value) = &edits[edit % edits.len()];
    let mut wanted = loaded.settings.clone();
    let set = wanted.set(key, value);
    require(set.is_ok(), "saves_read_back", || format!("{key}: {set:?}"))?;
    if loaded.is_unreadable() {
        let safe = loaded.save(&wanted).is_err() && loaded.settings == Settings::default();
        return require(safe, "unreadable_settings_are_never_overwritten", || {
            format!("{:?}", loaded.save(&wanted))
        });
    }
    saved(text, &loaded, &loaded.settings)?;
    saved(text, &loaded, &wanted)?;
    let mut chosen = loaded.settings.clone();
    chosen.choose_profile(PROFILES[edit % PROFILES.len()].policy);
    saved(text, &loaded, &chosen)
}

/// What is saved can be read, says what was wanted, is saved again as it is, and has lost nothing.
fn saved(text: &str, loaded: &Loaded, wanted: &Settings) -> Result<(), (&'static str, String)> {
    let saved = loaded.save(wanted).map_err(|error| ("saves_read_back", error.to_string()))?;
    let again = Loaded::read(Some(&saved));
    require(again.settings == *wanted, "saves_read_back", || {
        format!("{saved:?} says {:?}, not {wanted:?}", again.settings)
    })?;
    let twice = again.save(&again.settings);
    require(twice.as_deref() == Ok(&saved), "saving_twice_is_saving_once", || {
        format!("{saved:?}, then {twice:?}")
    })?;
    let foreign = |text: &str| -> Option<Vec<(String, Value)>> {
        let map: Map<String, Value> = serde_json::from_str(text).ok()?;
        Some(map.into_iter().filter(|(name, _)| !is_ours(name)).collect())
    };
    let (before, after) = (foreign(text), foreign(&saved));
    require(before.is_none() || before == after, "saves_keep_foreign_members", || {
        format!("{before:?}, then {after:?} in {saved:?}")
    })
}

/// True for a key that has or had a meaning here.
fn is_ours(name: &str) -> bool {
    let keys = engine::settings::KEYS.iter();
    let mut names = keys.flat_map(|key| key.aliases.iter().chain([&key.name]));
    names.any(|known| *known == name) || ["grammarRepair", "grammarMode"].contains(&name)
}
