//! `InternLM`: `<|action_start|><|plugin|>{"name": …, "parameters": {…}}<|action_end|>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::{Example, Family, Printed, Spelling, call_object};

pub(super) const FAMILY: Family = Family {
    id: "internlm",
    says: "A JSON object between two tokens. The JSON is data: a marker in one of its \
           strings belongs to the string. White space beside the markers is syntax.",
    models: &["InternLM 2 and 2.5", "Intern-S1"],
    gate: &[],
    whole_message: false,
    openers: &[MARKERS.opener],
    closers: &[MARKERS.closer],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "one call between the markers", proof: "" }],
    scan: |cursor| between::read(cursor, &MARKERS),
    render,
    examples: &[
        Example {
            text: "<|action_start|><|plugin|>{\"name\": \"read\", \"parameters\": {\"path\": \"<|action_end|>\"}}<|action_end|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|action_end|>"}}]"#,
        },
        Example {
            text: "<|action_start|><|plugin|>{\"name\": \"re",
            spelling: "",
            calls: "cut off",
        },
        Example {
            text: "<|action_start|><|plugin|>{\"name\": re}<|action_end|>",
            spelling: "",
            calls: "damaged",
        },
    ],
};

const MARKERS: Markers = Markers {
    opener: "<|action_start|><|plugin|>",
    closer: "<|action_end|>",
    object: call_object::read,
    spelling: |form| match form {
        Form::One => Ok("canonical"),
        _ => Err("more than one object between the markers"),
    },
};

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    between::print(calls, &MARKERS, Form::One, "parameters")
}
