//! A message that is nothing but gpt-oss's header words and JSON: `commentary to=functions.name json{…}`.

use serde_json::Value;

use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling};

/// What may stand before the recipient: the words of a header without its tokens.
const HEADS: &[&str] =
    &["assistantcommentary to=", "assistant to=", "commentary to=", "analysis to=", "to="];

/// What a name runs into when tokens behind it are gone.
const GLUED: &[&str] = &["", "json", "code", "commentary", "commentaryjson"];

pub(super) const FAMILY: Family = Family {
    id: "bare_harmony",
    says: "What is left of a gpt-oss call when its tokens are not printed, as the whole message: header words, a \
           recipient `functions.name` that is a tool, and one JSON object. Anything else is prose.",
    models: &["gpt-oss"],
    gate: &["gpt-oss", "gptoss"],
    whole_message: true,
    openers: HEADS,
    closers: &[],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "`commentary to=functions.name json{…}`", proof: "" },
        Spelling {
            id: "glued",
            says: "the name runs into a header word, `to=functions.namecommentary json{…}`",
            proof: "Of the readings with and without a header word behind it exactly one is a tool's name.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "commentary to=functions.read json{\"path\":\"a\"}",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "to=functions.readcommentary json{\"path\":\"a\"}",
            spelling: "glued",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    if cursor.sees("assistantcommentary to=functions.") {
        // Enough of the markers is left for the family that has them to tell it from prose.
        return None;
    }
    let whole = block(cursor, "to=", &[], |reading| {
        let spelling = call(reading)?;
        let mut ahead = reading.cursor;
        ahead.skip_space();
        ahead.eat("<|call|>");
        reading.cursor = ahead;
        ahead.skip_space();
        if ahead.is_at_end() { Ok(spelling) } else { Err(Stop::NoBlock) }
    });
    whole.filter(Block::is_whole)
}

/// Steps over header words, recipient and arguments.
pub(super) fn call(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    if reading.cursor.eat_any(HEADS).is_none() || !reading.cursor.eat("functions.") {
        return Err(Stop::NoBlock);
    }
    let written = reading.name();
    let readings = GLUED.iter().filter_map(|word| written.strip_suffix(word));
    let mut fits = readings.filter(|name| reading.cursor.is_tool(name));
    let (Some(name), None) = (fits.next(), fits.next()) else {
        return Err(reading.no_block(&[]));
    };
    reading.cursor.skip_blanks();
    reading.cursor.eat_any(&["commentary", "analysis"]);
    reading.cursor.skip_blanks();
    reading.cursor.eat_any(&["json", "code"]);
    reading.cursor.skip_space();
    if !reading.cursor.sees("{") {
        return Err(reading.no_block(&[]));
    }
    reading.json_arguments(name)?;
    Ok(if name == written { "canonical" } else { "glued" })
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let [call] = calls else { return None };
    let arguments = Value::Object(call.arguments.clone());
    Some(match spelling {
        "glued" => format!("to=functions.{}commentary json{arguments}", call.name),
        _ => format!("commentary to=functions.{} json{arguments}", call.name),
    })
}

#[cfg(test)]
mod tests {
    use crate::grammar::Page;

    #[test]
    fn anything_else_is_prose() {
        let tools = ["read".to_owned()];
        for text in [
            "commentary to=functions.read",
            "commentary to=functions.rm json{}",
            "commentary to=functions.read json{} and so on",
            "to=read {}",
            r#"commentary to=functions.read json{"path":"a"#,
        ] {
            assert_eq!(super::scan(Page::new(text, &tools).cursor(0)), None, "{text}");
        }
    }
}
