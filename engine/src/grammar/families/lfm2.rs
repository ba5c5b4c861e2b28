//! Liquid LFM2: `<|tool_call_start|>[name(key="text")]<|tool_call_end|>`.

use crate::grammar::reading::{Read, Reading, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object, python};

const OPENER: &str = "<|tool_call_start|>";
const CLOSER: &str = "<|tool_call_end|>";

pub(super) const FAMILY: Family = Family {
    id: "lfm2",
    says: "A list of calls in Python's syntax between special tokens. Values are Python literals and become \
           JSON exactly; tokens in strings are data, and so are line ends. White space between parts \
           is syntax.",
    models: &["LFM2", "LFM2.5"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "a list of Python calls", proof: "" },
        Spelling {
            id: "json",
            says: "a JSON list of call objects, as the model prints when told to",
            proof: "",
        },
        Spelling {
            id: "no-brackets",
            says: "one call without the list around it",
            proof: "The tokens hold one whole call and nothing else.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|tool_call_start|>[read(path=\"<|tool_call_end|>\", deep={'a': [True, None]}), ls()]<|tool_call_end|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|tool_call_end|>", "deep": {"a": [true, null]}}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<|tool_call_start|>[{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}]<|tool_call_end|>",
            spelling: "json",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call_start|>read(path='a')<|tool_call_end|>",
            spelling: "no-brackets",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call_start|>[read(\"a\")]<|tool_call_end|>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<|tool_call_start|>[read(path=\"a", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        let spelling = calls(reading)?;
        reading.expect(CLOSER, "the closing token is missing")?;
        Ok(spelling)
    })
}

fn calls(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    if python::sees_call(reading.cursor) {
        return python::call(reading, "").map(|()| "no-brackets");
    }
    let mut ahead = reading.cursor;
    if !ahead.eat("[") {
        return Err(reading.no_block(&["["]));
    }
    ahead.skip_space();
    if ahead.sees("{") {
        return reading.list(call_object::read).map(|()| "json");
    }
    python::list(reading).map(|()| "canonical")
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let printed = match (spelling, calls) {
        ("json", _) => {
            let print = |call| call_object::print(call, "arguments");
            format!("[{}]", calls.iter().map(print).collect::<Vec<_>>().join(", "))
        }
        ("no-brackets", [call]) => python::print(call)?,
        ("no-brackets", _) => return None,
        _ => {
            let calls: Option<Vec<String>> = calls.iter().map(python::print).collect();
            format!("[{}]", calls?.join(", "))
        }
    };
    Some(format!("{OPENER}{printed}{CLOSER}"))
}
