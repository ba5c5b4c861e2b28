//! Mistral: `[TOOL_CALLS]name[ARGS]{…}`, with a call id or without, and the older JSON list.

use serde_json::Value;

use crate::grammar::reading::{Read, Reading, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "[TOOL_CALLS]";
const CLOSER: &str = "[/TOOL_CALLS]";
const ID: &str = "[CALL_ID]";
const ARGUMENTS: &str = "[ARGS]";
const TURN_END: &str = "</s>";

pub(super) const FAMILY: Family = Family {
    id: "mistral",
    says: "A control token before each call, or before one JSON list of all calls. Arguments are JSON, in which \
           tokens are data; a call id is syntax. Nothing closes a call but the end of its JSON, so it must be \
           the last of its line unless another one or a closing token follows.",
    models: &[
        "Mistral",
        "Mixtral",
        "Ministral",
        "Magistral",
        "Devstral",
        "Mistral Small, Medium, Large",
    ],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling {
            id: "canonical",
            says: "`[TOOL_CALLS]name[ARGS]{…}`, tokenizer version 13 and later",
            proof: "",
        },
        Spelling {
            id: "call-id",
            says: "`[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}`, version 11",
            proof: "",
        },
        Spelling {
            id: "list",
            says: "`[TOOL_CALLS] [{\"name\": …, \"arguments\": …}]`, version 3 to 7",
            proof: "",
        },
        Spelling {
            id: "no-arguments-token",
            says: "`[TOOL_CALLS]name{…}`",
            proof: "The name ends where the JSON object begins; no name holds a curly bracket.",
        },
        Spelling {
            id: "one-object",
            says: "`[TOOL_CALLS] {\"name\": …, \"arguments\": …}`",
            proof: "One whole call object: a list of one without its brackets.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "[TOOL_CALLS]read[ARGS]{\"path\": \"[/TOOL_CALLS]\"}",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "[/TOOL_CALLS]"}}]"#,
        },
        Example {
            text: "[TOOL_CALLS]read[CALL_ID]abcDEF123[ARGS]{\"path\": \"a\"}</s>",
            spelling: "call-id",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "[TOOL_CALLS] [{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}, \"id\": \"abcDEF123\"}][/TOOL_CALLS]",
            spelling: "list",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "[TOOL_CALLS]read{\"path\": \"a\"}",
            spelling: "no-arguments-token",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "[TOOL_CALLS]{\"name\": \"read\", \"arguments\": {}}",
            spelling: "one-object",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "[TOOL_CALLS]read[ARGS]{\"path\": a/b}[/TOOL_CALLS]",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "[TOOL_CALLS]read[ARGS]{\"path\": \"a", spelling: "", calls: "cut off" },
        Example { text: "[TOOL_CALLS][", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        let spelling = if reading.sees_list() {
            reading.list(call_object::read)?;
            "list"
        } else if reading.cursor.sees("{") {
            reading.object(call_object::read)?;
            "one-object"
        } else {
            named(reading)?
        };
        let mut ahead = reading.cursor;
        ahead.skip_space();
        let closed = ahead.eat(CLOSER);
        if closed {
            reading.cursor = ahead;
        }
        if !reading.cursor.eat(TURN_END) && !closed && !ahead.sees(OPENER) {
            reading.line_ends()?;
        }
        Ok(spelling)
    })
}

fn named(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    let name = reading.name();
    let mut spelling = "no-arguments-token";
    if reading.cursor.eat(ID) {
        spelling = "call-id";
        reading.name();
        if !reading.cursor.sees(ARGUMENTS) {
            return Err(reading.missing(&[ARGUMENTS], "a call id without arguments"));
        }
    }
    if reading.cursor.eat(ARGUMENTS) {
        spelling = if spelling == "call-id" { spelling } else { "canonical" };
        reading.cursor.skip_space();
    }
    if name.is_empty() || !reading.cursor.sees("{") {
        return Err(reading.no_block(&[ID, ARGUMENTS]));
    }
    reading.json_arguments(name)?;
    Ok(spelling)
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let objects = || calls.iter().map(|call| call_object::print(call, "arguments"));
    match (spelling, calls) {
        ("list", _) => {
            return Some(format!("{OPENER} [{}]", objects().collect::<Vec<_>>().join(", ")));
        }
        ("one-object", [_]) => return Some(format!("{OPENER}{}", objects().collect::<String>())),
        ("one-object", _) => return None,
        _ => {}
    }
    let between = match spelling {
        "call-id" => "[CALL_ID]abcDEF123[ARGS]",
        "no-arguments-token" => "",
        _ => ARGUMENTS,
    };
    let print = |call: &Printed<'_>| {
        format!("{OPENER}{}{between}{}", call.name, Value::Object(call.arguments.clone()))
    };
    Some(calls.iter().map(print).collect())
}
