//! `MiniMax` M1, Jamba and Hunyuan: `<tool_calls>` with JSON call objects, `</tool_calls>`.

use crate::grammar::reading::block;
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "<tool_calls>";
const CLOSER: &str = "</tool_calls>";

pub(super) const FAMILY: Family = Family {
    id: "minimax_text",
    says: "JSON call objects one below the other, or one list of them, between tags. The JSON is data: a tag inside one \
           of its strings belongs to the string. White space between tags and objects is syntax.",
    models: &["MiniMax Text 01", "MiniMax M1", "Jamba", "Hunyuan A13B"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "objects, each on its line", proof: "" },
        Spelling { id: "list", says: "one list of objects (Jamba, Hunyuan)", proof: "" },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<tool_calls>\n{\"name\": \"read\", \"arguments\": {\"path\": \"</tool_calls>\"}}\n{\"name\": \"ls\", \"arguments\": {}}\n</tool_calls>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</tool_calls>"}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<tool_calls>[\n    {\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}\n]</tool_calls>",
            spelling: "list",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<tool_calls>\n{\"name\": \"read\"}\nthen\n</tool_calls>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<tool_calls>\n{\"name\": \"read\"}\n</tool_",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        let mut spelling = "canonical";
        if reading.sees_list() {
            spelling = "list";
            reading.list(call_object::read)?;
        } else if !reading.cursor.sees("{") {
            return Err(reading.no_block(&[]));
        }
        while spelling == "canonical" && reading.cursor.sees("{") {
            reading.object(call_object::read)?;
            reading.cursor.skip_space();
        }
        reading.expect(CLOSER, "something stands beside the calls")?;
        Ok(spelling)
    })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let objects: Vec<String> =
        calls.iter().map(|call| call_object::print(call, "arguments")).collect();
    Some(match spelling {
        "list" => format!("{OPENER}[{}]{CLOSER}", objects.join(", ")),
        _ => format!("{OPENER}\n{}\n{CLOSER}", objects.join("\n")),
    })
}
