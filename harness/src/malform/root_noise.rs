//! A text as whole arguments that is no value of any field.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "root-noise",
    says: "the whole arguments are prose, markup, a broken piece of JSON or a scalar, as a string or as raw text",
    stage: Stage::Envelope,
    lossless: false,
    conservative: true,
    apply,
};

const NOISE: &[&str] = &[
    "I will look at the file first.",
    "{\"path\": \"src/ma",
    "\"command\": \"rm -r build\"",
    "<tool_call>ls</tool_call>",
    "<|channel|>commentary",
    "```\nls -la\n```",
    "[\"ls\", \"-la\"",
    "path\": \"a.txt\"}",
    "null",
    "42",
    "{'command': 'ls",
    "",
    "   ",
];

/// Not where a tool requires nothing: there an empty text may stand for no arguments.
fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let requires = call
        .subject
        .schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|names| !names.is_empty());
    let noise = *source.pick(NOISE);
    if !requires || call.root().is_none() {
        return false;
    }
    if source.chance(1, 3) { call.send(noise.to_owned()) } else { call.replace(Value::from(noise)) }
}
