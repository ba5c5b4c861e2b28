//! Hermes and Qwen: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "<tool_call>";
const CLOSER: &str = "</tool_call>";

/// What a call begins with whose opening tag is missing.
const BARE: &str = "{\"name\":";

pub(super) const FAMILY: Family = Family {
    id: "hermes",
    says: "A JSON object between tags. The object is data and read as JSON: a tag inside one of its \
           strings belongs to the string. White space between tags and object is syntax.",
    models: &["Hermes", "Qwen 2.5 and 3", "Granite 4", "MiMo", "ERNIE", "Falcon 3"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER, BARE],
    closers: &[CLOSER],
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
            proof: "Each object of the list is whole and a call, and some templates print lists.",
        },
        Spelling {
            id: "no-opener",
            says: "the opening tag is missing, the closing tag is there",
            proof: "The object is whole and a call, and the closing tag right behind it says that \
                    it was one; the missing tag carries nothing.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"</tool_call>\"}}\n</tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</tool_call>"}}]"#,
        },
        Example {
            text: "<tool_call>\n{\"name\": \"ls\"}\n{\"name\": \"ls\"}\n</tool_call>",
            spelling: "several",
            calls: r#"[{"name": "ls", "arguments": {}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tool_call>\n[{\"type\": \"function\", \"function\": {\"name\": \"ls\", \"arguments\": \"{}\"}}]\n</tool_call>",
            spelling: "list",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "{\"name\": \"read\", \"arguments\": {\"path\": \"/x\"}}\n</tool_call>",
            spelling: "no-opener",
            calls: r#"[{"name": "read", "arguments": {"path": "/x"}}]"#,
        },
        Example { text: "<tool_call>{\"name\": \"read\", \"argu", spelling: "", calls: "cut off" },
        Example { text: "<tool_call>{\"name\": \"ls\"}</tool", spelling: "", calls: "cut off" },
        Example { text: "<tool_call>\n", spelling: "", calls: "cut off" },
        Example { text: "<tool_call>{\"name\": read}</tool_call>", spelling: "", calls: "damaged" },
        Example { text: "<tool_call>{\"name\": \"ls}</tool_call>", spelling: "", calls: "damaged" },
        Example {
            text: "<tool_call>{\"name\": \"ls\"}}</tool_call>",
            spelling: "",
            calls: "damaged",
        },
    ],
};

const MARKERS: Markers = Markers {
    opener: OPENER,
    closer: CLOSER,
    object: call_object::read,
    spelling: |form| {
        Ok(match form {
            Form::One => "canonical",
            Form::Several => "several",
            Form::List => "list",
        })
    },
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    if !cursor.sees(BARE) {
        return between::read(cursor, &MARKERS);
    }
    // Only where a line begins, and where a closing tag is to come: else every object in a text would
    // be read, and objects in objects again.
    let starts = cursor.at() == 0 || cursor.since(0).ends_with('\n');
    cursor.find(CLOSER).filter(|_| starts)?;
    let mut bare = cursor;
    bare.json();
    bare.skip_space();
    if !bare.sees(CLOSER) {
        return None;
    }
    let block = between::inside(cursor, &MARKERS);
    (block.calls.len() == 1).then_some(Block { spelling: "no-opener", ..block })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let form = match spelling {
        "several" => Form::Several,
        "list" => Form::List,
        _ => Form::One,
    };
    let text = between::print(calls, &MARKERS, form, "arguments")?;
    if spelling != "no-opener" {
        return Some(text);
    }
    let named = |call: &Printed<'_>| {
        let name = serde_json::json!(call.name);
        let arguments = serde_json::Value::Object(call.arguments.clone());
        format!("{{\"name\": {name}, \"arguments\": {arguments}}}\n{CLOSER}")
    };
    (calls.len() == 1).then(|| calls.iter().map(named).collect())
}
