//! Granite 3 and Phi 4: `<|tool_call|>[{"name": …, "arguments": {…}}]`, also behind `<tool_call>`.

use crate::grammar::reading::{Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object};

const TOKEN: &str = "<|tool_call|>";
const TOKEN_END: &str = "<|/tool_call|>";
const TAG: &str = "<tool_call>";
const TAG_END: &str = "</tool_call>";
const TURN_END: &str = "<|end_of_text|>";

pub(super) const FAMILY: Family = Family {
    id: "granite",
    says: "A JSON list of call objects behind a token or a tag. The list is data: tokens and tags in its strings belong to \
           the strings. Granite closes nothing, so the list must be the last of its line unless a closing token \
           or the token that ends the turn follows.",
    models: &["Granite 3.0 to 3.3", "Phi 4 mini"],
    gate: &[],
    whole_message: false,
    openers: &[TOKEN, TAG],
    closers: &[TOKEN_END],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "`<|tool_call|>[…]` (Granite 3.0)", proof: "" },
        Spelling { id: "tag", says: "`<tool_call>[…]` (Granite 3.1 and later)", proof: "" },
        Spelling {
            id: "closed", says: "`<|tool_call|>[…]<|/tool_call|>` (Phi 4 mini)", proof: ""
        },
        Spelling {
            id: "one-object",
            says: "`<|tool_call|>{…}<|/tool_call|>`",
            proof: "One whole call object, closed: a list of one without its brackets.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|tool_call|>[{\"name\": \"read\", \"arguments\": {\"path\": \"<|tool_call|>\"}}]<|end_of_text|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|tool_call|>"}}]"#,
        },
        Example {
            text: "<tool_call>[{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}]",
            spelling: "tag",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|tool_call|>[{\"name\": \"read\", \"arguments\": {}}]<|/tool_call|>",
            spelling: "closed",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "<|tool_call|>{\"name\": \"read\", \"arguments\": {}}<|/tool_call|>",
            spelling: "one-object",
            calls: r#"[{"name": "read", "arguments": {}}]"#,
        },
        Example {
            text: "<|tool_call|>[{\"path\": \"a\"}]<|/tool_call|>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<tool_call>[{\"name\": \"read\", \"arg", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let mut ahead = cursor;
    let opener = ahead.eat_any(&[TOKEN, TAG])?;
    let closer = if opener == TOKEN { TOKEN_END } else { TAG_END };
    block(cursor, opener, &[closer], |reading| {
        reading.cursor.eat(opener);
        reading.cursor.skip_space();
        let one = opener == TOKEN && reading.cursor.sees("{");
        if one {
            reading.object(call_object::read)?;
        } else if reading.sees_list() {
            reading.list(call_object::read)?;
        } else {
            return Err(reading.no_block(&[]));
        }
        let mut ahead = reading.cursor;
        ahead.skip_space();
        let ends = ahead.eat(closer);
        if ends && opener == TAG {
            // A list in a pair of tags is Hermes' own; only an open one is this family's.
            return Err(Stop::NoBlock);
        }
        if ends {
            reading.cursor = ahead;
        } else if one {
            return Err(reading.missing(&[closer], "the closing token is missing"));
        }
        if !reading.cursor.eat(TURN_END) && !ends {
            reading.line_ends()?;
        }
        Ok(match (one, ends, opener) {
            (true, ..) => "one-object",
            (_, true, _) => "closed",
            (_, _, TOKEN) => "canonical",
            _ => "tag",
        })
    })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let objects: Vec<String> =
        calls.iter().map(|call| call_object::print(call, "arguments")).collect();
    let list = objects.join(", ");
    match (spelling, calls) {
        ("tag", _) => Some(format!("{TAG}[{list}]")),
        ("closed", _) => Some(format!("{TOKEN}[{list}]{TOKEN_END}")),
        ("one-object", [_]) => Some(format!("{TOKEN}{list}{TOKEN_END}")),
        ("canonical", _) => Some(format!("{TOKEN}[{list}]")),
        _ => None,
    }
}
