//! gpt-oss: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.

use serde_json::Value;

use super::bare_harmony;
use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

const START: &str = "<|start|>assistant";
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const CALL: &str = "<|call|>";

/// Header words as they run together once the tokens between them are gone.
const STRIPPED: &str = "assistantcommentary to=functions.";

pub(super) const FAMILY: Family = Family {
    id: "harmony",
    says: "A message to a tool: the recipient, `functions.` and the name, stands in the header before or behind the channel, \
           perhaps with a content type; the arguments are one JSON object, in which tokens are data. A message \
           without a recipient is no call and is left alone.",
    models: &["gpt-oss"],
    gate: &[],
    whole_message: false,
    openers: &[START, "<|channel|>commentary", "<|channel|>analysis", STRIPPED],
    closers: &[CALL],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "the recipient behind the channel", proof: "" },
        Spelling { id: "recipient-first", says: "the recipient before the channel", proof: "" },
        Spelling {
            id: "no-call-token",
            says: "`<|call|>` is missing at the end of the text",
            proof: "The token stops the model, and servers cut what stops it; the JSON object is whole and nothing follows.",
        },
        Spelling {
            id: "glued-type",
            says: "the content type runs into the name, `to=functions.namejson<|message|>{…}`",
            proof: "Without the type the name is a tool's, with it it is none.",
        },
        Spelling {
            id: "tokens-stripped",
            says: "`assistantcommentary to=functions.name json{…}` at the end of a line",
            proof: "What is left of the header when its tokens are not printed. The words run together as in no \
                    sentence, the name is a tool's and fits in one way only, and the JSON delimits itself.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|channel|>commentary to=functions.read <|constrain|>json<|message|>{\"path\": \"<|call|>\"}<|call|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|call|>"}}]"#,
        },
        Example {
            text: "<|start|>assistant to=functions.read<|channel|>commentary json<|message|>{\"path\": \"a\"}<|call|>",
            spelling: "recipient-first",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|channel|>commentary to=functions.read<|message|>{\"path\": \"a\"}",
            spelling: "no-call-token",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|channel|>commentary to=functions.readjson<|message|>{\"path\": \"a\"}<|call|>",
            spelling: "glued-type",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "assistantcommentary to=functions.read json{\"path\": \"a\"}",
            spelling: "tokens-stripped",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<|channel|>commentary to=functions.read <|constrain|>json<|message|>{\"path\": a/b}<|call|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|channel|>commentary to=functions.read <|constrain|>json<|message|>{\"path\": \"a",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    if cursor.sees(STRIPPED) {
        return block(cursor, STRIPPED, &[], |reading| {
            bare_harmony::call(reading)?;
            reading.line_ends()?;
            Ok("tokens-stripped")
        });
    }
    let opener = if cursor.sees(START) { START } else { CHANNEL };
    block(cursor, opener, &[CALL], |reading| {
        reading.cursor.eat(START);
        let first = recipient(reading);
        if !reading.cursor.eat(CHANNEL) {
            return Err(reading.no_block(&[CHANNEL]));
        }
        if reading.cursor.eat_any(&["commentary", "analysis"]).is_none() {
            return Err(reading.no_block(&["commentary", "analysis"]));
        }
        let second = recipient(reading);
        let Some(name) = first.or(second) else { return Err(reading.no_block(&[" to="])) };
        if first.is_some() && second.is_some() {
            return Err(Stop::Damaged("two recipients"));
        }
        let (glued, ended) = body(reading, name)?;
        Ok(match (glued, ended, first) {
            (true, ..) => "glued-type",
            (_, false, _) => "no-call-token",
            (_, true, Some(_)) => "recipient-first",
            (_, true, None) => "canonical",
        })
    })
}

/// The recipient, if one stands here.
fn recipient<'t>(reading: &mut Reading<'_, 't>) -> Option<&'t str> {
    let mut ahead = reading.cursor;
    ahead.skip_blanks();
    if !ahead.eat("to=") {
        return None;
    }
    reading.cursor = ahead;
    Some(reading.name())
}

/// What stands behind the recipient; whether the content type ran into it, and whether the token that
/// ends a call is there.
fn body(reading: &mut Reading<'_, '_>, recipient: &str) -> Read<(bool, bool)> {
    let function = recipient.strip_prefix("functions.");
    let known = reading.cursor.is_tool(recipient).then_some(recipient);
    let mut name = function.or(known);
    let mut glued = false;
    // The content type may run into the name; then exactly one of the two readings is a tool.
    let cut = name.and_then(|name| name.strip_suffix("json").or(name.strip_suffix("code")));
    if let (Some(whole), Some(cut)) = (name, cut)
        && reading.cursor.is_tool(cut)
    {
        if reading.cursor.is_tool(whole) {
            return Err(Stop::Damaged("the name has two readings"));
        }
        name = Some(cut);
        glued = true;
    }
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        reading.named.push(recipient.to_owned());
        return Err(reading.missing(&[], "the recipient is no function"));
    };
    reading.cursor.skip_blanks();
    reading.cursor.eat("<|constrain|>");
    reading.cursor.eat_any(&["json", "code"]);
    reading.expect(MESSAGE, "the header does not end")?;
    reading.json_arguments(name)?;
    let mut ahead = reading.cursor;
    ahead.skip_space();
    if ahead.eat(CALL) {
        reading.cursor = ahead;
        return Ok((glued, true));
    }
    if ahead.is_at_end() {
        Ok((glued, false))
    } else {
        Err(reading.missing(&[CALL], "the call does not end"))
    }
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    if matches!(spelling, "no-call-token" | "tokens-stripped") && calls.len() != 1 {
        return None;
    }
    let print = |call: &Printed<'_>| {
        let name = call.name;
        let arguments = Value::Object(call.arguments.clone());
        match spelling {
            "recipient-first" => {
                format!(
                    "{START} to=functions.{name}{CHANNEL}commentary json{MESSAGE}{arguments}{CALL}"
                )
            }
            "glued-type" => {
                format!("{CHANNEL}commentary to=functions.{name}json{MESSAGE}{arguments}{CALL}")
            }
            "no-call-token" => {
                format!("{CHANNEL}commentary to=functions.{name}{MESSAGE}{arguments}")
            }
            "tokens-stripped" => format!("{STRIPPED}{name} json{arguments}"),
            _ => format!(
                "{CHANNEL}commentary to=functions.{name} <|constrain|>json{MESSAGE}{arguments}{CALL}"
            ),
        }
    };
    Some(calls.iter().map(print).collect())
}
