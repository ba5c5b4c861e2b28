//! `[Calling tool: name({…})]`: how a server prints earlier calls, and models then imitate.

use serde_json::Value;

use crate::grammar::reading::{Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "[Calling tool: ";
const CLOSER: &str = ")]";

pub(super) const FAMILY: Family = Family {
    id: "calling_tool",
    says: "A tool's name with its arguments as one JSON object, alone on its line. Programs announce calls in nearly \
           the same words, so anything else of that kind is prose: another name, no arguments, text beside it. \
           The object is data, the closing brackets in it included.",
    models: &["Qwen behind a server that prints its history so"],
    gate: &["qwen", "qwen2", "qwen3", "qwq"],
    whole_message: false,
    openers: &[OPENER],
    closers: &[],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "one call alone on its line", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "[Calling tool: read({\"path\": \"literal })] text\"})]",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "literal })] text"}}]"#,
        },
        Example { text: "[Calling tool: read({\"path\": a/b})]", spelling: "", calls: "damaged" },
        Example { text: "[Calling tool: read({\"path\": \"a", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        let before = reading.cursor.before();
        reading.cursor.eat(OPENER);
        let name = reading.name();
        let starts = before.is_none_or(|letter| letter == '\n');
        if !starts || !reading.cursor.is_tool(name) || !reading.cursor.eat("(") {
            return Err(Stop::NoBlock);
        }
        if !reading.cursor.sees("{") {
            return Err(Stop::NoBlock);
        }
        reading.json_arguments(name)?;
        reading.expect(CLOSER, "the brackets are not closed")?;
        reading.line_ends()?;
        Ok("canonical")
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        format!("{OPENER}{}({}{CLOSER}", call.name, Value::Object(call.arguments.clone()))
    };
    Some(calls.iter().map(print).collect::<Vec<_>>().join("\n"))
}
