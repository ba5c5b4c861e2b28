//! Cohere Command R and R+: `Action:` and a fence with a JSON list of calls.

use super::cohere;
use crate::grammar::reading::{Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const OPENER: &str = "Action: ```json";
const TIGHT: &str = "Action:```json";
const CLOSER: &str = "```";

pub(super) const FAMILY: Family = Family {
    id: "command_r",
    says: "`Action:` at the start of a line, a fence, and in it a JSON list of objects with `tool_name` and `parameters`, \
           every name a tool's. The list is data, fences in its strings included. Anything else is an example.",
    models: &["Command R", "Command R+"],
    gate: &["command-r", "c4ai-command-r"],
    whole_message: false,
    openers: &[OPENER, TIGHT],
    closers: &[],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "the list in its fence", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "Action: ```json\n[\n    {\"tool_name\": \"read\", \"parameters\": {\"path\": \"```\"}}\n]```",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "```"}}]"#,
        },
        Example {
            text: "Action: ```json\n[{\"tool_name\": read}]```",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "Action: ```json\n[{\"tool_name\": \"read\", \"para",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        let starts = reading.cursor.before().is_none_or(|letter| letter == '\n');
        reading.cursor.eat_any(&[OPENER, TIGHT]);
        reading.cursor.skip_space();
        let mut ahead = reading.cursor;
        let opens = ahead.eat("[");
        ahead.skip_space();
        let opens = opens && ahead.eat("{");
        ahead.skip_space();
        if !starts || !opens || !ahead.sees("\"tool_name\"") {
            return Err(Stop::NoBlock);
        }
        reading.list(cohere::read)?;
        // Told before the fence is closed: the damaged block must end with its own fence.
        if !reading.calls.iter().all(|call| reading.cursor.is_tool(&call.name)) {
            return Err(Stop::Damaged("a name that no tool has"));
        }
        reading.expect(CLOSER, "the fence is not closed")?;
        Ok("canonical")
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    Some(format!("{OPENER}\n[\n    {}\n]{CLOSER}", cohere::print(calls, false)))
}
