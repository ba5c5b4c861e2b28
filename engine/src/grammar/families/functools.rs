//! Phi 4 mini: `functools[{"name": …, "arguments": {…}}]`.

use crate::grammar::reading::{Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const OPENER: &str = "functools[";

pub(super) const FAMILY: Family = Family {
    id: "functools",
    says: "The word `functools` and a JSON list of call objects, alone on its lines. The list is data. Nothing closes it, and \
           the word is a module of Python's, so anything but call objects in the list is prose.",
    models: &["Phi 4 mini"],
    gate: &["phi"],
    whole_message: false,
    openers: &[OPENER],
    closers: &[],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "the word and the list", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "functools[{\"name\": \"read\", \"arguments\": {\"path\": \"functools[\"}}]",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "functools["}}]"#,
        },
        Example { text: "functools[{\"path\": \"a\"}]", spelling: "", calls: "damaged" },
        Example { text: "functools[{\"name\": \"read\", \"arg", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[], |reading| {
        let starts = reading.cursor.before().is_none_or(|letter| letter == '\n');
        let mut ahead = reading.cursor;
        ahead.eat(OPENER);
        if !starts || !ahead.sees("{\"") {
            return Err(Stop::NoBlock);
        }
        reading.cursor.go(ahead.at() - 1);
        reading.list(call_object::read)?;
        reading.line_ends()?;
        Ok("canonical")
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let objects: Vec<String> =
        calls.iter().map(|call| call_object::print(call, "arguments")).collect();
    Some(format!("{OPENER}{}]", objects.join(", ")))
}
