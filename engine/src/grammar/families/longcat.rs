//! `LongCat`: `<longcat_tool_call>{"name": …, "arguments": {…}}</longcat_tool_call>`.

use crate::grammar::reading::block;
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "<longcat_tool_call>";
const CLOSER: &str = "</longcat_tool_call>";

pub(super) const FAMILY: Family = Family {
    id: "longcat",
    says: "A JSON call object between tags. The object is data: a tag in one of its strings belongs to the string. \
           White space between tags and object is syntax.",
    models: &["LongCat Flash"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "one object in one pair of tags", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "<longcat_tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"</longcat_tool_call>\"}}\n</longcat_tool_call>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</longcat_tool_call>"}}]"#,
        },
        Example {
            text: "<longcat_tool_call>{\"name\": read}</longcat_tool_call>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<longcat_tool_call>{\"name\": \"read\"}\n</long",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        if !reading.cursor.sees("{") {
            return Err(reading.no_block(&[]));
        }
        reading.object(call_object::read)?;
        reading.expect(CLOSER, "the closing tag is missing")?;
        Ok("canonical")
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let print = |call| format!("{OPENER}\n{}\n{CLOSER}", call_object::print(call, "arguments"));
    Some(calls.iter().map(print).collect::<Vec<_>>().join("\n"))
}
