//! A function call tag: `<function_call>{"name": …, "arguments": {…}}</function_call>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::{Example, Family, Printed, Spelling, call_object};

pub(super) const FAMILY: Family = Family {
    id: "function-call",
    says: "A JSON object between tags. The JSON is data: a marker in one of its \
           strings belongs to the string. White space beside the markers is syntax.",
    models: &["models prompted with this tag", "Hermes 1"],
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
            text: "<function_call>{\"name\": \"read\", \"arguments\": {\"path\": \"</function_call>\"}}</function_call>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</function_call>"}}]"#,
        },
        Example { text: "<function_call>{\"name\": \"re", spelling: "", calls: "cut off" },
        Example {
            text: "<function_call>{\"name\": re}</function_call>",
            spelling: "",
            calls: "damaged",
        },
    ],
};

const MARKERS: Markers = Markers {
    opener: "<function_call>",
    closer: "</function_call>",
    object: call_object::read,
    spelling: |form| match form {
        Form::One => Ok("canonical"),
        _ => Err("more than one object between the markers"),
    },
};

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    between::print(calls, &MARKERS, Form::One, "arguments")
}
