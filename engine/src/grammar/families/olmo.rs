//! `OLMo` 3: `<function_calls>` with a Python call on each line, `</function_calls>`.

use crate::grammar::reading::block;
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, python};

const OPENER: &str = "<function_calls>";
const CLOSER: &str = "</function_calls>";

pub(super) const FAMILY: Family = Family {
    id: "olmo",
    says: "Calls in Python's syntax, one below the other, between tags. Values are Python literals and become \
           JSON exactly; a tag in a string is data, and so is a line end. White space between calls is syntax.",
    models: &["OLMo 3"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "calls between tags", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "<function_calls>\nread(path=\"</function_calls>\")\nls()\n</function_calls>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</function_calls>"}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<function_calls>read(path)</function_calls>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<function_calls>\nread(path=\"a\")\n", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        if !python::sees_call(reading.cursor) {
            return Err(reading.no_block(&[]));
        }
        while !reading.cursor.eat(CLOSER) {
            python::call(reading, "")?;
            reading.cursor.skip_space();
            if reading.cursor.sees_cut(CLOSER) {
                return Err(reading.missing(&[CLOSER], ""));
            }
        }
        Ok("canonical")
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let calls: Option<Vec<String>> = calls.iter().map(python::print).collect();
    Some(format!("{OPENER}\n{}\n{CLOSER}", calls?.join("\n")))
}
