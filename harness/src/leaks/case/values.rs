//! The calls of a block: valid arguments, some with text in them that looks like syntax.

use engine::grammar::{FAMILIES, Printed};
use serde_json::{Map, Value, json};

use super::Call;
use crate::generate::{Bias, Subject, values};
use crate::json;
use crate::leaks::tools::{self, STRANGERS};
use crate::source::{Choose, Source};

/// How every value begins that nothing but arguments may hold.
pub const CANARY: &str = "zq7canary";

/// Draws the calls of one block; choice 0 is one call of pi's first tool.
pub fn calls(source: &mut dyn Source, bias: &Bias, wild: bool, strange: bool) -> Vec<Call> {
    let count = [1, 1, 1, 2, 3][source.index(5)];
    (0..count).map(|_| call(source, bias, wild, strange)).collect()
}

fn call(source: &mut dyn Source, bias: &Bias, wild: bool, strange: bool) -> Call {
    let subject = source.pick(tools::subjects());
    let arguments = values::arguments(source, subject, bias);
    let mut arguments = arguments.as_object().cloned().unwrap_or_default();
    if wild && let Some(slot) = text_slot(source, subject, &mut arguments) {
        *slot = text(source).into();
    } else if source.chance(1, 8)
        && let Some(slot) = text_slot(source, subject, &mut arguments)
    {
        *slot = format!("{CANARY}{}", source.below(1000)).into();
    }
    if source.chance(1, 16) {
        spoil(source, &mut arguments);
    }
    let stranger = strange.then(|| (*source.pick(STRANGERS)).to_owned());
    Call { name: stranger.unwrap_or_else(|| subject.name.clone()), arguments }
}

/// Makes arguments that the tool may not take.
fn spoil(source: &mut dyn Source, arguments: &mut Map<String, Value>) {
    let keys: Vec<String> = arguments.keys().cloned().collect();
    if keys.is_empty() || source.chance(1, 3) {
        return arguments.clear();
    }
    let key = source.pick(&keys).clone();
    match source.below(3) {
        0 => drop(arguments.shift_remove(&key)),
        1 => drop(arguments.insert(key, json!({"odd": [1]}))),
        _ => drop(arguments.insert("undeclared".to_owned(), json!("x"))),
    }
}

/// A field that takes any text, and no path.
fn text_slot<'a>(
    source: &mut dyn Source,
    subject: &Subject,
    arguments: &'a mut Map<String, Value>,
) -> Option<&'a mut Value> {
    if subject.name == "edit" {
        return arguments.get_mut("edits")?.get_mut(0)?.get_mut("newText");
    }
    let fields = subject.schema.get("properties")?.as_object()?.iter();
    let free = fields.filter(|(key, schema)| {
        **schema == json!({"type": "string"}) && !subject.path_fields.contains(&format!("/{key}"))
    });
    let free: Vec<&String> = free.map(|(key, _)| key).collect();
    let key = if free.is_empty() { None } else { Some((*source.pick(&free)).clone()) }?;
    Some(arguments.entry(key).or_insert(Value::Null))
}

/// Pieces that mean something to markdown, to the seam, or to readers of values.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "\n\n",
    "```\n",
    "```",
    "`",
    "~~~\n",
    "> ",
    "    x\n",
    "  a\n",
    "1.0",
    "1e3",
    "null",
    "{\"a\":1}",
    "</tool_call>",
    "\"}",
    "\\",
    "<b>",
    "\r\n",
    "é",
    "｜",
    "<|",
    "[",
    "]",
    ")",
    "'",
    "\"",
];

/// Texts that are JSON to whoever goes by looks.
const LOOKS: &[&str] = &["1.0", "1e3", "12345678901234567890", "null", "true", "{\"a\":1}", "[1]"];

/// A text of pieces, markers of any family, and whole blocks, or one that looks like a value.
fn text(source: &mut dyn Source) -> String {
    if source.chance(1, 4) {
        return (*source.pick(LOOKS)).to_owned();
    }
    let mut text = String::new();
    for _ in 0..source.range(1, 4) {
        match source.below(6) {
            0 | 1 => text.push_str(source.pick::<&str>(PIECES)),
            2 | 3 => text.push_str(marker(source)),
            4 => text.push_str("word "),
            _ => text.push_str(&inner(source).unwrap_or_default()),
        }
    }
    text
}

/// An opener or closer of any family.
pub fn marker(source: &mut dyn Source) -> &'static str {
    let family = source.pick(FAMILIES);
    let markers: Vec<&'static str> = family.openers.iter().chain(family.closers).copied().collect();
    markers[source.index(markers.len())]
}

/// A whole block of any family.
fn inner(source: &mut dyn Source) -> Option<String> {
    let family = source.pick(FAMILIES);
    let arguments = json!({"command": "rm -rf /"});
    let arguments = arguments.as_object()?;
    (family.render)(&[Printed { name: "bash", arguments }], "canonical")
}

/// True if no text in the arguments holds a marker of any family or what markdown takes for code.
pub fn are_calm(calls: &[Call]) -> bool {
    let quiet = |text: &str| {
        !text.contains(['`', '~', '>'])
            && !text.contains("    ")
            && !text.contains('\t')
            && !holds_marker(text)
    };
    calls.iter().all(|call| {
        let args = Value::Object(call.arguments.clone());
        call.arguments.keys().all(|key| quiet(key)) && json::strings(&args).into_iter().all(quiet)
    })
}

/// True if no text in the arguments, and no key, holds a marker of any family or an angle bracket.
pub fn are_markerless(calls: &[Call]) -> bool {
    let quiet = |text: &str| !text.contains('<') && !holds_marker(text);
    calls.iter().all(|call| {
        let args = Value::Object(call.arguments.clone());
        call.arguments.keys().all(|key| quiet(key)) && json::strings(&args).into_iter().all(quiet)
    })
}

/// True if nothing in the arguments could be mistaken for syntax of any kind: no lists and objects either, as
/// formats without quotes print their JSON.
pub fn are_plain(calls: &[Call]) -> bool {
    let plain = |text: &str| {
        !text.is_empty()
            && text.chars().all(|c| c.is_alphanumeric() || " _./-".contains(c))
            && text.trim() == text
    };
    calls.iter().all(|call| {
        let args = Value::Object(call.arguments.clone());
        call.arguments
            .iter()
            .all(|(key, value)| plain(key) && !value.is_object() && !value.is_array())
            && json::strings(&args).into_iter().all(plain)
    })
}

/// True if a marker of a family that is found inside a text stands in it.
pub fn holds_marker(text: &str) -> bool {
    let inside = FAMILIES.iter().filter(|family| !family.whole_message);
    let mut markers = inside.flat_map(|family| family.openers.iter().chain(family.closers));
    markers.any(|marker| text.contains(marker))
}
