//! A call as a JSON object with name and arguments, written into the name, is taken apart.

use serde_json::{Map, Value};

use super::{Load, NameError, NameExample, NameRule, Names, Step, object, tokens};

pub(super) const RULE: NameRule = NameRule {
    id: "name.lift-envelope",
    fires: "the name is a JSON object of a name and arguments",
    note: "Called `{tool}` with the arguments found in the name: send them as arguments.",
    examples: &[
        NameExample::lifted(
            r#"{"name":"read","arguments":{"path":"a.md"}}"#,
            "read",
            r#"{"path":"a.md"}"#,
        ),
        NameExample::lifted(
            r#"{"name": "functions.Ls", "parameters": {}}</tool_call>"#,
            "ls",
            "{}",
        ),
        NameExample::lifted(
            r#"{"name":"read","arguments":"{\"path\":\"a.md\"}"}"#,
            "read",
            r#"{"path":"a.md"}"#,
        ),
    ],
    apply,
};

fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    if !name.starts_with('{') {
        return Ok(None);
    }
    let (call, tail) = object::split(name).ok_or(NameError::CutOff)?;
    let Some(Value::Object(mut call)) = (names.read)(call) else { return Err(NameError::CutOff) };
    let has_rest = call.len() != 2 || !tokens::ends_call(tail);
    let Some(Value::String(inner)) = call.remove("name").filter(|_| !has_rest) else {
        return Ok(None);
    };
    Ok(arguments(&mut call, names).map(|load| Step::with(&inner, load)))
}

/// The arguments, as an object or as its JSON text.
fn arguments(call: &mut Map<String, Value>, names: &Names<'_>) -> Option<Load> {
    match call.remove("arguments").or_else(|| call.remove("parameters"))? {
        Value::Object(arguments) => Some(Load::Arguments(Value::Object(arguments))),
        Value::String(text) => Some(object::lift(text.trim(), names, str::is_empty)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}
