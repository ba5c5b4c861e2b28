//! Nemotron: `<TOOLCALL>[{"name": …, "arguments": {…}}]</TOOLCALL>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::{Example, Family, Printed, Spelling, call_object};

pub(super) const FAMILY: Family = Family {
    id: "nemotron",
    says: "A JSON list of calls between tags in capitals. The JSON is data: a marker in one of its \
           strings belongs to the string. White space beside the markers is syntax.",
    models: &["Nemotron Nano", "Llama Nemotron"],
    gate: &[],
    whole_message: false,
    openers: &[MARKERS.opener],
    closers: &[MARKERS.closer],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "a list of calls between the markers", proof: "" },
        Spelling {
            id: "object",
            says: "an object without the list",
            proof: "The object is whole and a call; a list of one says the same.",
        },
    ],
    scan: |cursor| between::read(cursor, &MARKERS),
    render,
    examples: &[
        Example {
            text: "<TOOLCALL>[{\"name\": \"read\", \"arguments\": {\"path\": \"</TOOLCALL>\"}}]</TOOLCALL>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</TOOLCALL>"}}]"#,
        },
        Example {
            text: "<TOOLCALL>{\"name\": \"ls\"}</TOOLCALL>",
            spelling: "object",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example { text: "<TOOLCALL>{\"name\": \"re", spelling: "", calls: "cut off" },
        Example { text: "<TOOLCALL>{\"name\": re}</TOOLCALL>", spelling: "", calls: "damaged" },
    ],
};

const MARKERS: Markers = Markers {
    opener: "<TOOLCALL>",
    closer: "</TOOLCALL>",
    object: call_object::read,
    spelling: |form| match form {
        Form::List => Ok("canonical"),
        Form::One => Ok("object"),
        Form::Several => Err("several objects without a list"),
    },
};

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let form = if spelling == "object" { Form::One } else { Form::List };
    between::print(calls, &MARKERS, form, "arguments")
}
