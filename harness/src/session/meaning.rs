//! What a settings file means, read member by member, without the engine's tables.

use engine::Policy;
use engine::grammar::{Mode, UnknownTools};
use engine::settings::Settings;
use serde_json::{Map, Value};

use super::case::file::{BROKEN, File};

/// What the file is, by the way it was made.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// Nothing at all.
    Absent,
    /// No JSON object.
    Unreadable,
    /// An object that means these settings.
    Says(Box<Settings>),
}

/// What a file means.
pub fn of(file: &File) -> Meaning {
    let text = file.text();
    if text.trim().is_empty() {
        return Meaning::Absent;
    }
    let broken = file.members.iter().any(|member| BROKEN.contains(&member.as_str()));
    if broken || !text.trim_end().ends_with('}') || file.cut > file.space.len() {
        return Meaning::Unreadable;
    }
    let mut members = Map::new();
    for member in &file.members {
        // What a value cannot hold is none of ours.
        let read: Option<Map<String, Value>> = serde_json::from_str(&format!("{{{member}}}")).ok();
        members.extend(read.unwrap_or_default());
    }
    Meaning::Says(Box::new(settings(&members)))
}

fn settings(file: &Map<String, Value>) -> Settings {
    let mut settings = Settings::default();
    if !file.contains_key("policyProfile") && !file.contains_key("profile") {
        older(file, &mut settings);
    }
    let member = |name: &str, old: &str| file.get(name).or_else(|| file.get(old));
    let chosen = |name: &str, old: &str| member(name, old).and_then(Value::as_str);
    match chosen("policyProfile", "profile") {
        Some("conservative") => settings.profile = Policy::Conservative,
        Some("adaptive") => settings.profile = Policy::Adaptive,
        Some("recover") => settings.profile = Policy::Recover,
        _ => {}
    }
    match chosen("grammarRecovery", "grammarMode") {
        Some("off") => settings.grammar = Some(Mode::Off),
        Some("observe") => settings.grammar = Some(Mode::Observe),
        Some("strip") => settings.grammar = Some(Mode::Strip),
        Some("recover") => settings.grammar = Some(Mode::Recover),
        _ => {}
    }
    match chosen("unknownGrammarText", "unknownToolText") {
        Some("preserve") => settings.unknown_text = Some(UnknownTools::Preserve),
        Some("strip") => settings.unknown_text = Some(UnknownTools::Strip),
        _ => {}
    }
    let list = file.get("grammarAllowedTools").and_then(Value::as_array);
    let names = list.map(|list| list.iter().map(|name| Some(name.as_str()?.to_owned())));
    if let Some(names) = names.and_then(Iterator::collect::<Option<Vec<String>>>) {
        settings.allowed_tools = names;
    }
    for (name, slot) in [
        ("repair", &mut settings.repair),
        ("advisor", &mut settings.advisor),
        ("showIndicator", &mut settings.show_indicator),
        ("showNotes", &mut settings.show_notes),
        ("telemetry", &mut settings.telemetry),
    ] {
        *slot = file.get(name).and_then(Value::as_bool).unwrap_or(*slot);
    }
    settings
}

/// Shapes from before profiles: only who had asked for recovery in full has it.
fn older(file: &Map<String, Value>, settings: &mut Settings) {
    if let Some(mode) = file.get("grammarRecovery") {
        if mode == "recover" {
            settings.profile = Policy::Recover;
        }
        return;
    }
    let Some(block) = file.get("grammarRepair").and_then(Value::as_object) else { return };
    let enabled = block.get("enabled") == Some(&Value::Bool(true));
    if enabled && block.get("mode").is_some_and(|mode| mode == "recover") {
        settings.profile = Policy::Recover;
    } else {
        settings.grammar = Some(if enabled { Mode::Strip } else { Mode::Off });
    }
}
