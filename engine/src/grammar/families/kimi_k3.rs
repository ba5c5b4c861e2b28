//! Kimi K3: `<|open|>call tool="name" index="1"<|sep|>` with arguments in it, in a `tools` element.

use std::fmt::Write as _;

use serde_json::Value;

use crate::grammar::reading::{Read, Reading, Stop, block};
use crate::grammar::tags::unless_closed_again;
use crate::grammar::{
    Arguments, Block, Cursor, Example, Family, Field, FieldKind, LeakedCall, Printed, Spelling,
};

const TOOLS: &str = "<|open|>tools<|sep|>";
const TOOLS_END: &str = "<|close|>tools<|sep|>";
const CALL: &str = "<|open|>call tool=\"";
const CALL_END: &str = "<|close|>call<|sep|>";
const ARGUMENT: &str = "<|open|>argument ";
const ARGUMENT_END: &str = "<|close|>argument<|sep|>";
const JSON: &str = "<|open|>json type=\"object\"<|sep|>";
const JSON_END: &str = "<|close|>json<|sep|>";
const SEPARATOR: &str = "<|sep|>";
/// The tokens that all tags are made of.
const TOKENS: &[&str] = &["<|open|>", "<|close|>", SEPARATOR];
const MESSAGE_END: &str = "<|close|>message<|sep|>";

pub(super) const FAMILY: Family = Family {
    id: "kimi_k3",
    says: "Elements of three special tokens. A text argument is data up to its closing token as it is, white space \
           included; any other type is JSON; both are named and typed in the opening tag, where `&amp;` and `&quot;` \
           are escapes. An element within a text is not known to be data: such a block is damaged.",
    models: &["Kimi K3"],
    gate: &[],
    whole_message: false,
    openers: &[TOOLS, CALL],
    closers: &[TOOLS_END, CALL_END, ARGUMENT_END, JSON_END],
    stray_words: &[],
    spellings: &[
        Spelling { id: "canonical", says: "one element for each argument", proof: "" },
        Spelling { id: "json", says: "all arguments as one JSON object", proof: "" },
        Spelling {
            id: "no-section",
            says: "a call without the `tools` element around it",
            proof: "The call has its own opening and closing tags; the section adds nothing to it.",
        },
    ],
    scan,
    render,
    examples: &[
        Example {
            text: "<|open|>tools<|sep|><|open|>call tool=\"read\" index=\"1\"<|sep|><|open|>argument key=\"path\" type=\"string\"<|sep|> a&amp; <|close|>argument<|sep|><|open|>argument key=\"limit\" type=\"number\"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": " a&amp; ", "limit": 3}}]"#,
        },
        Example {
            text: "<|open|>tools<|sep|><|open|>call tool=\"read\" index=\"1\"<|sep|><|open|>json type=\"object\"<|sep|>{\"path\": \"<|close|>\"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
            spelling: "json",
            calls: r#"[{"name": "read", "arguments": {"path": "<|close|>"}}]"#,
        },
        Example {
            text: "<|open|>call tool=\"ls\"<|sep|><|close|>call<|sep|>",
            spelling: "no-section",
            calls: r#"[{"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<|open|>tools<|sep|><|open|>call tool=\"read\" index=\"1\"<|sep|><|open|>argument key=\"path\" type=\"string\"<|sep|>aargument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
            spelling: "",
            calls: "damaged",
        },
        Example {
            text: "<|open|>tools<|sep|><|open|>call tool=\"read\" index=\"1\"",
            spelling: "",
            calls: "cut off",
        },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    let block = read(cursor)?;
    Some(unless_closed_again(block, cursor, &[ARGUMENT_END, CALL_END, JSON_END], &[TOOLS, CALL]))
}

fn read(cursor: Cursor<'_, '_>) -> Option<Block> {
    if !cursor.sees(TOOLS) {
        return block(cursor, CALL, &[CALL_END], |reading| {
            call(reading)?;
            Ok("no-section")
        });
    }
    block(cursor, TOOLS, &[TOOLS_END], |reading| {
        reading.cursor.eat(TOOLS);
        reading.cursor.skip_space();
        let mut spelling = "canonical";
        while reading.cursor.sees(CALL) {
            if call(reading)? {
                spelling = "json";
            }
            reading.cursor.skip_space();
        }
        reading.expect(TOOLS_END, "something stands beside the calls")?;
        reading.cursor.eat(MESSAGE_END);
        if reading.calls.is_empty() {
            Err(Stop::Damaged("the element is empty"))
        } else {
            Ok(spelling)
        }
    })
}

/// Reads one call; true if its arguments are one JSON object.
fn call(reading: &mut Reading<'_, '_>) -> Read<bool> {
    reading.cursor.eat(CALL);
    let name = attribute(reading)?;
    match attributes(reading)?.as_slice() {
        [] => {}
        [(key, _)] if key == "index" => {}
        _ => return Err(Stop::Damaged("an attribute that no call has")),
    }
    reading.cursor.skip_space();
    if reading.cursor.eat(JSON) {
        reading.json_arguments(&name)?;
        reading.expect(JSON_END, "the arguments do not end")?;
        reading.expect(CALL_END, "the call does not end")?;
        return Ok(true);
    }
    reading.named.push(name.clone());
    let mut fields: Vec<Field> = Vec::new();
    while reading.cursor.eat(ARGUMENT) {
        let field = argument(reading)?;
        if fields.iter().any(|other| other.name == field.name) {
            return Err(Stop::Damaged("an argument is given twice"));
        }
        fields.push(field);
        reading.cursor.skip_space();
    }
    reading.expect(CALL_END, "the call does not end")?;
    reading.named.pop();
    reading.calls.push(LeakedCall { name: name.clone(), arguments: Arguments::Fields(fields) });
    Ok(false)
}

fn argument(reading: &mut Reading<'_, '_>) -> Read<Field> {
    let attributes = attributes(reading)?;
    let [(key, name), (kind, written)] = attributes.as_slice() else {
        return Err(Stop::Damaged("an argument without key and type"));
    };
    if key != "key" || kind != "type" || name.is_empty() {
        return Err(Stop::Damaged("an argument without key and type"));
    }
    let (end, _) = reading.cursor.find_any(TOKENS).ok_or(Stop::CutOff)?;
    let start = reading.cursor.at();
    reading.cursor.go(end);
    let text = reading.cursor.since(start);
    if !reading.cursor.eat(ARGUMENT_END) {
        return Err(reading.missing(&[ARGUMENT_END], "an element within an argument"));
    }
    let kind = if written == "string" { FieldKind::Text } else { FieldKind::Json };
    Ok(Field { name: name.clone(), text: text.to_owned(), kind })
}

/// Attributes up to and including the token that ends the tag; no tag has more than two.
fn attributes(reading: &mut Reading<'_, '_>) -> Read<Vec<(String, String)>> {
    let mut found = Vec::new();
    loop {
        reading.cursor.skip_blanks();
        if reading.cursor.eat(SEPARATOR) {
            return Ok(found);
        }
        let key = reading.cursor.take_while(|letter| letter.is_ascii_lowercase());
        if found.len() > 1 || key.is_empty() || !reading.cursor.eat("=\"") {
            return Err(reading.missing(&[SEPARATOR, "=\""], "the tag is no tag of the format"));
        }
        found.push((key.to_owned(), attribute(reading)?));
    }
}

/// The rest of an attribute's value, up to and including the closing mark.
fn attribute(reading: &mut Reading<'_, '_>) -> Read<String> {
    let value = reading.cursor.take_while(|letter| letter != '"' && letter != '<');
    if !reading.cursor.eat("\"") {
        return Err(reading.missing(&[], "the tag is no tag of the format"));
    }
    Ok(value.replace("&quot;", "\"").replace("&amp;", "&"))
}

fn render(calls: &[Printed<'_>], spelling: &str) -> Option<String> {
    let mut printed = String::new();
    for (at, call) in calls.iter().enumerate() {
        let index = at + 1;
        let _ = write!(printed, "{CALL}{}\" index=\"{index}\"{SEPARATOR}", escaped(call.name)?);
        if spelling == "json" {
            let arguments = Value::Object(call.arguments.clone());
            let _ = write!(printed, "{JSON}{arguments}{JSON_END}");
        } else {
            for (key, value) in call.arguments {
                print_argument(key, value, &mut printed)?;
            }
        }
        printed.push_str(CALL_END);
    }
    Some(if spelling == "no-section" { printed } else { format!("{TOOLS}{printed}{TOOLS_END}") })
}

fn print_argument(key: &str, value: &Value, printed: &mut String) -> Option<()> {
    let (kind, text) = match value {
        Value::String(text) => ("string", text.clone()),
        Value::Number(_) => ("number", value.to_string()),
        Value::Bool(_) => ("boolean", value.to_string()),
        Value::Null => ("null", value.to_string()),
        Value::Array(_) => ("array", value.to_string()),
        Value::Object(_) => ("object", value.to_string()),
    };
    if TOKENS.iter().any(|token| text.contains(token)) {
        return None;
    }
    let key = escaped(key).filter(|key| !key.is_empty())?;
    let _ =
        write!(printed, "{ARGUMENT}key=\"{key}\" type=\"{kind}\"{SEPARATOR}{text}{ARGUMENT_END}");
    Some(())
}

/// Text as an attribute's value; `None` where the format has no escape for it.
fn escaped(text: &str) -> Option<String> {
    if text.contains('<') {
        return None;
    }
    Some(text.replace('&', "&amp;").replace('"', "&quot;"))
}
