//! The JSON object that many formats put a call into: `{"name": …, "arguments": {…}}`.

use serde_json::{Map, Value, json};

use super::json::{members, split_string, string};
use super::{Arguments, LeakedCall, Printed};

/// Keys that hold the arguments.
pub(super) const ARGUMENT_KEYS: &[&str] = &["arguments", "parameters"];

/// Keys that say nothing about what is called: ids, and the kind of the call.
const SILENT_KEYS: &[&str] = &["id", "type", "index"];

/// Reads the call out of the text of one JSON object, as [`super::Cursor::json`] delimits it.
///
/// The object holds a name and at most one of `arguments` and `parameters`: an object, or one more
/// time as text. Beside them only an id, an index and `"type": "function"` may stand. The form of
/// `OpenAI`'s API, with the two inside a member `function`, is read as well.
///
/// # Errors
///
/// What does not belong, in words.
pub(super) fn read(text: &str) -> Result<LeakedCall, &'static str> {
    let mut found = members(text).ok_or("the call is not one JSON object with every key once")?;
    if let Some(at) = found.iter().position(|(key, _)| key == "function") {
        let (_, inner) = found.remove(at);
        if found.iter().any(|(key, _)| !SILENT_KEYS.contains(&key.as_ref())) {
            return Err("members beside `function`");
        }
        found = members(inner).ok_or("`function` is not one JSON object with every key once")?;
    }
    let mut name = None;
    let mut arguments = None;
    for (key, value) in found {
        match key.as_ref() {
            "name" => name = Some(string(value).ok_or("the name is not text")?),
            key if ARGUMENT_KEYS.contains(&key) => {
                let text = string(value).unwrap_or_else(|| value.to_owned());
                if is_schema(&text) {
                    return Err("a tool is defined, not called");
                }
                if arguments.replace(text).is_some() {
                    return Err("arguments are given twice");
                }
            }
            "type" if string(value).as_deref() != Some("function") => {
                return Err("the type is not `function`");
            }
            key if SILENT_KEYS.contains(&key) => {}
            _ => return Err("a member that no call has"),
        }
    }
    let name = name.ok_or("the call has no name")?;
    let arguments = Arguments::Json(arguments.unwrap_or_else(|| "{}".to_owned()));
    Ok(LeakedCall { name, arguments })
}

/// Bytes at the front of an object that is no whole call in which its name is looked for.
const NAME_WITHIN: usize = 512;

/// The name in a call object, or the first object of a list, of which only the beginning can be read;
/// nothing but texts, such as an id, may stand before it.
pub(super) fn begun_name(text: &str) -> Option<String> {
    let mut rest = first_object(text)?;
    loop {
        let (key, after) = split_string(rest)?;
        let (value, after) = split_string(after.trim_ascii_start().strip_prefix(':')?)?;
        if key == "name" || key == "tool_name" {
            return Some(value);
        }
        rest = after.trim_ascii_start().strip_prefix(',')?;
    }
}

/// The first key of the same, for objects that are called by their key.
pub(super) fn begun_key(text: &str) -> Option<String> {
    split_string(first_object(text)?).map(|(key, _)| key)
}

/// What stands in the first object of `text`, as far as a name is looked for.
fn first_object(text: &str) -> Option<&str> {
    let text = text.get(..text.floor_char_boundary(NAME_WITHIN))?.trim_ascii_start();
    text.strip_prefix('[').unwrap_or(text).trim_ascii_start().strip_prefix('{')
}

/// True for a JSON schema of arguments.
fn is_schema(text: &str) -> bool {
    if !text.contains("\"properties\"") {
        return false;
    }
    let members = members(text).unwrap_or_default();
    let has = |key: &str, fits: fn(&str) -> bool| {
        members.iter().any(|(name, value)| name == key && fits(value))
    };
    has("type", |value| value == "\"object\"") && has("properties", |value| value.starts_with('{'))
}

/// Prints a call with its arguments under `key`.
pub(super) fn print(call: &Printed<'_>, key: &str) -> String {
    let mut object = Map::new();
    object.insert("name".to_owned(), json!(call.name));
    object.insert(key.to_owned(), Value::Object(call.arguments.clone()));
    Value::Object(object).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &str) -> Result<LeakedCall, &'static str> {
        Ok(LeakedCall { name: name.to_owned(), arguments: Arguments::Json(arguments.to_owned()) })
    }

    #[test]
    fn calls_are_read() {
        let args = r#"{"path": "C:\\x", "n": 1.0}"#;
        assert_eq!(
            read(&format!(r#"{{"name": "read", "arguments": {args}}}"#)),
            call("read", args)
        );
        assert_eq!(read(r#"{"name": "ls"}"#), call("ls", "{}"));
        let text = r#"{"id": "1", "type": "function", "name": "ls", "parameters": "{\"a\": 1}"}"#;
        assert_eq!(read(text), call("ls", r#"{"a": 1}"#));
        for args in [r#"{"properties": {"a": 1}}"#, r#"{"kind": "object", "properties": {"a": 1}}"#]
        {
            let text = format!(r#"{{"name": "ls", "arguments": {args}}}"#);
            assert_eq!(read(&text), call("ls", args));
        }
        let nested = r#"{"type": "function", "function": {"name": "ls", "arguments": "{}"}}"#;
        assert_eq!(read(nested), call("ls", "{}"));
    }

    #[test]
    fn anything_else_is_told() {
        for text in [
            r#"{"name": "ls", "arguments": {}, "parameters": {}}"#,
            r#"{"name": "ls", "name": "rm"}"#,
            r#"{"name": "ls", "path": "/"}"#,
            r#"{"name": 1}"#,
            r#"{"arguments": {}}"#,
            r#"["ls"]"#,
            r#"{"type": "object", "name": "ls", "arguments": {}}"#,
            r#"{"name": "ls", "parameters": {"type": "object", "properties": {}}}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
    #[test]
    fn names_are_read_where_calls_begin() {
        for (text, name) in [
            (r#"{"name": "ls", "arguments": {"a": "#, Some("ls")),
            (r#" [ {"id": "1", "tool_name": "ls", oops}"#, Some("ls")),
            (r#"{"name": "l"#, None),
            (r#"{"arguments": {}, "name": "ls""#, None),
            ("name", None),
        ] {
            assert_eq!(begun_name(text).as_deref(), name, "{text}");
        }
        assert_eq!(begun_key(r#"[{"ls": {"a": "#).as_deref(), Some("ls"));
    }
}
