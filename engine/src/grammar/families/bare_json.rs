//! A message that is nothing but call objects in JSON: `{"name": …, "parameters": {…}}`.

use crate::grammar::reading::{Read, Reading, Stop, block, full_call};
use crate::grammar::{Block, Cursor, Example, Family, Printed, Spelling, call_object, stops};

pub(super) const FAMILY: Family = Family {
    id: "bare_json",
    says: "One call object, a list of them, or several with `;` between them, as the whole message. Every object gives \
           a tool's name and arguments and nothing that no call has. JSON that is anything else, damaged or \
           cut off is left to be read as an answer.",
    models: &[
        "Llama 3",
        "Llama 4",
        "Qwen 2.5",
        "Qwen 2.5 Coder",
        "Mistral",
        "xLAM",
        "Phi 4",
        "gpt-oss",
        "Granite",
    ],
    gate: &[
        "llama",
        "qwen",
        "qwen2",
        "mistral",
        "ministral",
        "devstral",
        "xlam",
        "phi",
        "gpt-oss",
        "granite",
        "hermes",
    ],
    whole_message: true,
    openers: &["{", "["],
    closers: &[],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one call object", proof: "" },
        Spelling { id: "list", says: "a list of call objects", proof: "" },
        Spelling { id: "semicolons", says: "call objects with `;` between them", proof: "" },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "{\"type\": \"function\", \"name\": \"read\", \"parameters\": {\"path\": \"a\"}}",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}]"#,
        },
        Example {
            text: "[{\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}, {\"name\": \"read\", \"arguments\": {\"path\": \"b\"}}]",
            spelling: "list",
            calls: r#"[{"name": "read", "arguments": {"path": "a"}}, {"name": "read", "arguments": {"path": "b"}}]"#,
        },
        Example {
            text: "{\"name\": \"read\", \"parameters\": {}}; {\"name\": \"read\", \"parameters\": {\"path\": \"b\"}}<|eot_id|>",
            spelling: "semicolons",
            calls: r#"[{"name": "read", "arguments": {}}, {"name": "read", "arguments": {"path": "b"}}]"#,
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let whole = block(cursor, "{", &[], |reading| {
        let spelling = calls(reading)?;
        reading.cursor.skip_space();
        stops::pass(&mut reading.cursor);
        let mut ahead = reading.cursor;
        ahead.skip_space();
        let known = reading.calls.iter().all(|call| ahead.is_tool(&call.name));
        if known && ahead.is_at_end() { Ok(spelling) } else { Err(Stop::NoBlock) }
    });
    whole.filter(Block::is_whole)
}

fn calls(reading: &mut Reading<'_, '_>) -> Read<&'static str> {
    if reading.cursor.sees("[") {
        return reading.list(full_call).map(|()| "list");
    }
    let mut spelling = "canonical";
    loop {
        reading.object(full_call)?;
        let mut ahead = reading.cursor;
        ahead.skip_space();
        if !ahead.eat(";") {
            return Ok(spelling);
        }
        reading.cursor = ahead;
        spelling = "semicolons";
    }
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let objects: Vec<String> =
        calls.iter().map(|call| call_object::print(call, "parameters")).collect();
    match (spelling, objects.as_slice()) {
        ("list", _) => Some(format!("[{}]", objects.join(", "))),
        ("semicolons", [_, _, ..]) => Some(objects.join("; ")),
        ("canonical", [one]) => Some(one.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::Page;

    #[test]
    fn anything_else_is_prose() {
        let tools = ["read".to_owned()];
        for text in [
            r#"{"name": "read"}"#,
            r#"{"name": "rm", "parameters": {}}"#,
            r#"{"name": "read", "parameters": {}} is a call"#,
            r#"{"name": "read", "parameters": {}, "version": 1}"#,
            "[]",
            r#"{"name": "read", "para"#,
            r#"[{"name": "read", "arguments": {}}, {"a": 1}]"#,
            r#"{"name": "read", "parameters": {}};"#,
        ] {
            assert_eq!(super::scan(Page::new(text, &tools).cursor(0)), None, "{text}");
        }
    }
}
