//! Inputs to begin with, out of the corpus and the engine's own examples.

use corpus::{Area, CaseInput, Input};
use engine::reader::LIBERTIES;
use engine::rules::RULES;
use serde_json::{Value, json};

use super::pool::{text_seed, tools};
use crate::arguments::case::seeds::REFUSAL_SEEDS;
use crate::session::case::file::{BROKEN, FOREIGN};
use crate::subjects;

/// Longer texts teach a fuzzer nothing that short ones do not.
const TEXT_MAX: usize = 2_000;

/// Arguments as text: real ones, stored failures, and examples of the engine's tables.
pub(super) fn argument_texts() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for case in corpus::cases(Area::Arguments).unwrap_or_default() {
        let text = match &case.input {
            CaseInput::Raw(text) | CaseInput::Text(text) => text.clone(),
            CaseInput::Value(value) => shown(value),
        };
        seeds.push(text_seed(case.tool.as_deref(), &text));
    }
    for stored in corpus::regressions("arguments").unwrap_or_default() {
        for input in &stored.inputs {
            let text = match input {
                Input::Text(text) => text.clone(),
                Input::Value(value) => shown(value),
            };
            seeds.push(text_seed(stored.tool.as_deref(), &text));
        }
    }
    let liberties = LIBERTIES.iter().flat_map(|liberty| liberty.examples);
    seeds.extend(liberties.map(|(text, _)| text_seed(None, text)));
    seeds.extend(RULES.iter().flat_map(|rule| rule.examples).map(|it| text_seed(None, it.before)));
    seeds.extend(REFUSAL_SEEDS.iter().map(|seed| text_seed(Some(seed.tool), seed.input)));
    seeds.retain(|seed| seed.len() <= TEXT_MAX);
    seeds
}

/// A value as text; one that is too deep to be printed stands for nothing.
fn shown(value: &Value) -> String {
    if engine::depth::is_deeper_than(value, 512) { String::new() } else { value.to_string() }
}

/// Settings files of every age, whole and broken.
pub(super) fn settings_texts() -> Vec<String> {
    let old = [
        r#"{"grammarRepair":{"enabled":true,"mode":"recover"}}"#,
        r#"{"grammarRecovery":"recover"}"#,
        r#"{"policyProfile":"adaptive","grammarRecovery":"off","advisor":false,"showNotes":true}"#,
        r#"{"profile":"conservative","grammarAllowedTools":["read", "grep"]}"#,
        "",
        "{}",
        " {\n\t\"telemetry\" : false ,\r\n \"unknownToolText\":\"strip\"}\n",
    ];
    let members =
        FOREIGN.iter().chain(BROKEN).map(|member| format!("{{{member}, \"advisor\": true}}"));
    old.into_iter().map(str::to_owned).chain(members).collect()
}

/// Tools with a call of each, as the target `tool` reads them.
pub(super) fn tool_pages() -> Vec<Vec<u8>> {
    let pooled = tools().iter().map(|tool| {
        json!({"schema": tool.schema, "config": subjects::configuration(tool), "args": {"path": null, "a": "[1]"}})
    });
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let rules = RULES
        .iter()
        .flat_map(|rule| rule.examples)
        .map(|example| json!({"schema": read(example.schema), "args": read(example.before)}));
    let kinds = engine::preprocess::KINDS.iter().map(|kind| {
        let config = json!({"preprocessors": [read(kind.example.entry)]});
        json!({"schema": read(kind.example.schema), "config": config, "args": read(kind.example.before)})
    });
    let pages = pooled.chain(rules).chain(kinds);
    pages.map(|page| page.to_string().into_bytes()).filter(|page| page.len() <= 4_000).collect()
}
