//! Qwen 2.5 Coder: `<tools>{"name": …, "arguments": {…}}</tools>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::json::members;
use crate::grammar::{Block, Cursor, Example, Family, LeakedCall, Printed, Spelling, call_object};

/// The tag.
const TAG: &str = "<tools>";

/// The longest name that is read in front of the arguments.
const NAME_BYTES_MAX: usize = 256;

pub(super) const FAMILY: Family = Family {
    id: "qwen-coder",
    says: "A JSON object between the tags in which the prompt lists the tools. A call has `arguments` right \
           behind its name; a list of tools, with descriptions, schemas or `function`, is never one and \
           stays. The JSON is data: a tag in one of its strings belongs to the string.",
    models: &["Qwen 2.5 Coder", "Qwen 2.5 and 3, quantised"],
    gate: &[],
    whole_message: false,
    // With the front of the object, so that the tag alone is no marker: other markup has it, too.
    openers: &[
        "<tools>{\"name\":",
        "<tools>\n{\"name\":",
        "<tools>[{\"name\":",
        "<tools>\n[{\"name\":",
    ],
    closers: &[],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one object in one pair of tags", proof: "" },
        Spelling {
            id: "several",
            says: "several objects in one pair of tags",
            proof: "Each object is whole and a call; nothing but white space stands between them.",
        },
        Spelling {
            id: "list",
            says: "a list of objects in one pair of tags",
            proof: "Each object of the list is whole and a call; asked for calls side by side, the model \
                    prints them so.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<tools>\n{\"name\": \"read\", \"arguments\": {\"path\": \"</tools>\"}}\n</tools>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</tools>"}}]"#,
        },
        Example {
            text: "<tools>\n{\"name\": \"ls\", \"arguments\": {}}\n{\"name\": \"ls\", \"arguments\": {}}\n</tools>",
            spelling: "several",
            calls: r#"[{"name": "ls", "arguments": {}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tools>[{\"name\": \"ls\", \"arguments\": {}}]</tools>",
            spelling: "list",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example { text: "<tools>\n{\"name\": \"re", spelling: "", calls: "cut off" },
        Example {
            text: "<tools>{\"name\": \"read\", \"arguments\": {\"pa",
            spelling: "",
            calls: "cut off",
        },
        Example {
            text: "<tools>{\"name\": \"ls\", \"arguments\": {}, \"description\": \"lists\"}</tools>",
            spelling: "",
            calls: "damaged",
        },
    ],
};

const MARKERS: Markers = Markers {
    opener: TAG,
    closer: "</tools>",
    object: called,
    spelling: |form| {
        Ok(match form {
            Form::One => "canonical",
            Form::Several => "several",
            Form::List => "list",
        })
    },
};

/// Reads an object that has `arguments`; one with `parameters` may be the definition of a tool.
fn called(text: &str) -> Result<LeakedCall, &'static str> {
    let given = members(text).is_some_and(|found| found.iter().any(|(key, _)| key == "arguments"));
    if given { call_object::read(text) } else { Err("a tool is defined, not called") }
}

fn scan(mut cursor: Cursor<'_, '_>) -> Option<Block> {
    cursor.eat(TAG).then_some(())?;
    cursor.skip_space();
    begins_call(cursor).then(|| between::inside(cursor, &MARKERS))
}

/// True if an object begins here whose name is followed by `arguments`, as far as the text goes.
fn begins_call(mut cursor: Cursor<'_, '_>) -> bool {
    if cursor.eat("[") {
        cursor.skip_space();
    }
    let begins = cursor.eat("{\"name\":");
    cursor.skip_space();
    if !begins || !cursor.eat("\"") {
        return begins && cursor.is_at_end();
    }
    let name = cursor.rest().bytes().take(NAME_BYTES_MAX).position(|byte| byte == b'"');
    let Some(length) = name else { return cursor.rest().len() < NAME_BYTES_MAX };
    cursor.go(cursor.at() + length + 1);
    cursor.skip_space();
    if !cursor.eat(",") {
        return cursor.is_at_end();
    }
    cursor.skip_space();
    cursor.sees("\"arguments\"") || "\"arguments\"".starts_with(cursor.rest())
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let form = match spelling {
        "several" => Form::Several,
        "list" => Form::List,
        _ => Form::One,
    };
    between::print(calls, &MARKERS, form, "arguments")
}
