//! Cohere Command R7B, A and later: `<|START_ACTION|>[{"tool_name": …}]<|END_ACTION|>`.

use serde_json::{Map, Value, json};

use crate::grammar::json::{members, string};
use crate::grammar::reading::block;
use crate::grammar::{Arguments, Block, Cursor, Example, Family, LeakedCall, Printed, Spelling};

const OPENER: &str = "<|START_ACTION|>";
const CLOSER: &str = "<|END_ACTION|>";
const TURN_END: &str = "<|END_OF_TURN_TOKEN|>";

pub(super) const FAMILY: Family = Family {
    id: "cohere",
    says: "A JSON list of objects with `tool_name`, `parameters` and an id between special tokens. The list is data: \
           a token in one of its strings belongs to the string. The token that ends the turn belongs to the block.",
    models: &["Command R7B", "Command A", "North", "Aya"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "a list of calls", proof: "" },
        Spelling {
            id: "one-object",
            says: "one call without the list around it",
            proof: "One whole call object between the tokens: a list of one without its brackets.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"read\", \"parameters\": {\"path\": \"<|END_ACTION|>\"}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|END_ACTION|>"}}]"#,
        },
        Example {
            text: "<|START_ACTION|>{\"tool_name\": \"read\", \"parameters\": {}}<|END_ACTION|>",
            spelling: "one-object",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "<|START_ACTION|>[{\"name\": \"read\"}]<|END_ACTION|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|START_ACTION|>[{\"tool_name\": \"read\"",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        let spelling = if reading.sees_list() {
            reading.list(read)?;
            "canonical"
        } else if reading.cursor.sees("{") {
            reading.object(read)?;
            "one-object"
        } else {
            return Err(reading.no_block(&[]));
        };
        reading.expect(CLOSER, "the closing token is missing")?;
        reading.cursor.eat(TURN_END);
        Ok(spelling)
    })
}

/// Reads `{"tool_call_id": …, "tool_name": …, "parameters": {…}}`.
pub(super) fn read(text: &str) -> Result<LeakedCall, &'static str> {
    let mut name = None;
    let mut arguments = None;
    for (key, value) in
        members(text).ok_or("the call is not one JSON object with every key once")?
    {
        match key.as_ref() {
            "tool_name" => name = string(value),
            "parameters" => arguments = Some(value.to_owned()),
            "tool_call_id" => {}
            _ => return Err("a member that no call has"),
        }
    }
    let name = name.ok_or("the call has no name")?;
    let arguments = Arguments::Json(arguments.ok_or("the call has no parameters")?);
    Ok(LeakedCall { name, arguments })
}

/// Prints the same; the id counts.
pub(super) fn print(calls: &[Printed<'_>], with_id: bool) -> String {
    let print = |(at, call): (usize, &Printed<'_>)| {
        let mut object = Map::new();
        if with_id {
            object.insert("tool_call_id".to_owned(), json!(at.to_string()));
        }
        object.insert("tool_name".to_owned(), json!(call.name));
        object.insert("parameters".to_owned(), Value::Object(call.arguments.clone()));
        Value::Object(object).to_string()
    };
    calls.iter().enumerate().map(print).collect::<Vec<_>>().join(",\n    ")
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    match (spelling, calls) {
        ("canonical", _) => Some(format!("{OPENER}[\n    {}\n]{CLOSER}", print(calls, true))),
        ("one-object", [_]) => Some(format!("{OPENER}{}{CLOSER}", print(calls, true))),
        _ => None,
    }
}
