//! A function call tag: `<function_call>{"name": …, "arguments": {…}}</function_call>`.

use crate::grammar::between::{self, Form, Markers};
use crate::grammar::{
    Block, Cursor, Example, Family, JsonEnd, Printed, Spelling, call_object, stops,
};

pub(super) const FAMILY: Family = Family {
    id: "function-call",
    says: "A JSON object between tags. The JSON is data: a marker in one of its \
           strings belongs to the string. White space beside the markers is syntax.",
    models: &["Granite 20B", "models prompted with this tag", "Hermes 1"],
    gate: &[],
    whole_message: false,
    openers: &[MARKERS.opener],
    closers: &[MARKERS.closer],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one call between the markers", proof: "" },
        Spelling {
            id: "no-closer",
            says: "nothing closes the call",
            proof: "Granite 20B prints no closing tag: the object is whole and a call, and the next \
                    opener, a token that ends the turn or the end of the text follows it.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<function_call>{\"name\": \"read\", \"arguments\": {\"path\": \"</function_call>\"}}</function_call>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "</function_call>"}}]"#,
        },
        Example {
            text: "<function_call> {\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}",
            spelling: "no-closer",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "<function_call> {\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}</func",
            spelling: "",
            calls: "cut off",
        },
        Example { text: "<function_call>{\"name\": \"re", spelling: "", calls: "cut off" },
        Example {
            text: "<function_call>{\"name\": re}</function_call>",
            spelling: "",
            calls: "damaged",
        },
    ],
};

const MARKERS: Markers = Markers {
    opener: "<function_call>",
    closer: "</function_call>",
    object: call_object::read,
    spelling: |form| match form {
        Form::One => Ok("canonical"),
        _ => Err("more than one object between the markers"),
    },
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    open_ended(cursor).or_else(|| between::read(cursor, &MARKERS))
}

/// Reads a call that nothing closes. `None` if something does, or what follows is something else; then
/// it is read again, once.
fn open_ended(mut cursor: Cursor<'_, '_>) -> Option<Block> {
    cursor.eat(MARKERS.opener);
    cursor.skip_space();
    let JsonEnd::Whole(text) = cursor.json() else { return None };
    let end = cursor.at();
    let stopped = stops::behind(cursor.rest(), 0) > 0;
    cursor.skip_space();
    if !stopped && !cursor.is_at_end() && !cursor.sees(MARKERS.opener) {
        return None;
    }
    Some(Block::whole(end, "no-closer", vec![call_object::read(text).ok()?]))
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let text = between::print(calls, &MARKERS, Form::One, "arguments")?;
    Some(if spelling == "no-closer" {
        text.replace(&format!("\n{}", MARKERS.closer), "")
    } else {
        text
    })
}
