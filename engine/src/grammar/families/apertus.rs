//! Apertus: `<|tools_prefix|>[{"name": {…}}]<|tools_suffix|>`.

use serde_json::{Map, Value};

use crate::grammar::call_object;
use crate::grammar::json::members;
use crate::grammar::reading::block;
use crate::grammar::{Arguments, Block, Cursor, Example, Family, LeakedCall, Printed, Spelling};

const OPENER: &str = "<|tools_prefix|>";
const CLOSER: &str = "<|tools_suffix|>";

pub(super) const FAMILY: Family = Family {
    id: "apertus",
    says: "A JSON list of objects with one member each: the tool's name with its arguments. The list is data: a token \
           in one of its strings belongs to the string.",
    models: &["Apertus"],
    gate: &[],
    whole_message: false,
    openers: &[OPENER],
    closers: &[CLOSER],
    stray_words: &[],
    spellings: &[Spelling { id: "canonical", says: "a list between the tokens", proof: "" }],
    scan,
    render,
    examples: &[
        Example {
            text: "<|tools_prefix|>[{\"read\": {\"path\": \"<|tools_suffix|>\"}}, {\"ls\": {}}]<|tools_suffix|>",
            spelling: "canonical",
            calls: r#"[{"name": "read", "arguments": {"path": "<|tools_suffix|>"}}, {"name": "ls", "arguments": {}}]"#,
        },
        Example {
            text: "<|tools_prefix|>[{\"read\": {}, \"ls\": {}}]<|tools_suffix|>",
            spelling: "",
            calls: "damaged",
        },
        Example { text: "<|tools_prefix|>[{\"read\": {\"pa", spelling: "", calls: "cut off" },
    ],
};

fn scan(cursor: Cursor<'_, '_>) -> Option<Block> {
    block(cursor, OPENER, &[CLOSER], |reading| {
        reading.cursor.eat(OPENER);
        reading.cursor.skip_space();
        if !reading.sees_list() {
            return Err(reading.no_block(&[]));
        }
        let list = reading.cursor.rest();
        if let Err(stop) = reading.list(read) {
            reading.named.extend(call_object::begun_key(list));
            return Err(stop);
        }
        reading.expect(CLOSER, "the closing token is missing")?;
        Ok("canonical")
    })
}

fn read(text: &str) -> Result<LeakedCall, &'static str> {
    let members = members(text).unwrap_or_default();
    let [(name, arguments)] = members.as_slice() else {
        return Err("the call is not one JSON object with one member");
    };
    if !arguments.starts_with('{') {
        return Err("the arguments are not a JSON object");
    }
    Ok(LeakedCall {
        name: name.clone().into_owned(),
        arguments: Arguments::Json((*arguments).to_owned()),
    })
}

fn render(calls: &[Printed<'_>], _: &str) -> Option<String> {
    let print = |call: &Printed<'_>| {
        let arguments = Value::Object(call.arguments.clone());
        Value::Object(Map::from_iter([(call.name.to_owned(), arguments)])).to_string()
    };
    Some(format!("{OPENER}[{}]{CLOSER}", calls.iter().map(print).collect::<Vec<_>>().join(", ")))
}
