//! JSON as JavaScript reads, holds and writes it.

use serde_json::{Map, Value};

/// What a trace shows of numbers that JSON does not have.
const BEYOND: [&str; 3] = ["<NaN>", "<Infinity>", "<-Infinity>"];

/// JSON text as a value; numbers beyond the doubles are infinite.
pub(super) fn parse(text: &str) -> Result<Value, serde_json::Error> {
    let read = serde_json::from_str(text);
    read.or_else(|error| serde_json::from_str(&without_huge(text)).map_err(|_| error)).map(held)
}

/// The text, with what a trace shows in place of each number that no double holds.
fn without_huge(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = if from.starts_with('"') { string_end(from) } else { number_end(from) };
        let (token, after) = from.split_at(end);
        out.push_str(huge(token).unwrap_or(token));
        rest = after;
    }
    out + rest
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    let close = text.char_indices().skip(1).find(|(_, char)| {
        let closes = *char == '"' && !escaped;
        escaped = *char == '\\' && !escaped;
        closes
    });
    close.map_or(text.len(), |(at, _)| at + 1)
}

fn number_end(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit() && !"+-.eE".contains(c)).unwrap_or(text.len())
}

fn huge(token: &str) -> Option<&'static str> {
    let (mantissa, _) = token.split_once(['e', 'E'])?;
    serde_json::from_str::<f64>(mantissa).ok()?;
    let number: f64 = token.parse().ok().filter(|number: &f64| number.is_infinite())?;
    Some(if number > 0.0 { "\"<Infinity>\"" } else { "\"<-Infinity>\"" })
}

/// The value with every number a double, and keys that are list indices before all others.
pub(super) fn held(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Number(number), double),
        Value::Array(items) => items.into_iter().map(held).collect(),
        Value::Object(map) => {
            let mut members: Vec<(String, Value)> =
                map.into_iter().map(|(key, item)| (key, held(item))).collect();
            members.sort_by_key(|(key, _)| index(key).unwrap_or(u32::MAX));
            Value::Object(members.into_iter().collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// A double as JSON: an integer where JavaScript writes one that fits.
pub(super) fn double(float: f64) -> Value {
    let text = text(float);
    let whole = text.parse::<i64>().map(Value::from);
    whole.or_else(|_| text.parse::<u64>().map(Value::from)).unwrap_or_else(|_| Value::from(float))
}

fn index(key: &str) -> Option<u32> {
    let number: u32 = key.parse().ok().filter(|number| *number < u32::MAX)?;
    (number.to_string() == key).then_some(number)
}

/// A value as `JSON.stringify` writes it on one line.
pub(super) fn stringify(value: &Value) -> String {
    let mut out = String::new();
    write(value, None, &mut out);
    out
}

/// The same, indented by two blanks a level.
pub(super) fn stringify_pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, Some(0), &mut out);
    out
}

fn write(value: &Value, level: Option<usize>, out: &mut String) {
    let inner = level.map(|level| level + 1);
    match value {
        Value::String(text) if BEYOND.contains(&text.as_str()) => out.push_str("null"),
        Value::Number(number) => match number.as_f64() {
            Some(float) => out.push_str(&text(float)),
            None => out.push_str(&number.to_string()),
        },
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                next(at, inner, out);
                write(item, inner, out);
            }
            line(level, out);
            out.push(']');
        }
        Value::Object(map) if !map.is_empty() => {
            out.push('{');
            for (at, (key, item)) in map.iter().enumerate() {
                next(at, inner, out);
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(if level.is_some() { ": " } else { ":" });
                write(item, inner, out);
            }
            line(level, out);
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn next(at: usize, level: Option<usize>, out: &mut String) {
    if at > 0 {
        out.push(',');
    }
    line(level, out);
}

fn line(level: Option<usize>, out: &mut String) {
    if let Some(level) = level {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    }
}

/// A finite double as text.
fn text(float: f64) -> String {
    let size = float.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&size) {
        return float.to_string();
    }
    let scientific = format!("{float:e}");
    if size < 1.0 { scientific } else { scientific.replace('e', "e+") }
}

/// A text without the white space around it; the byte order mark counts as such, U+0085 does not.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_doubles_and_huge_ones_infinite() {
        let read = |text: &str| parse(text).map(|value| stringify(&value)).ok();
        let cases = [
            ("{\"n\":12345678901234567890}", Some("{\"n\":12345678901234567000}")),
            ("[1e21,1e-7,1.0,-0,0.1]", Some("[1e+21,1e-7,1,0,0.1]")),
            ("{\"n\":1e400,\"s\":\"1e400\\\"\"}", Some("{\"n\":null,\"s\":\"1e400\\\"\"}")),
            ("{\"n\":01e400}", None),
            ("{\"b\":0,\"2\":0,\"01\":0,\"1\":0}", Some("{\"1\":0,\"2\":0,\"b\":0,\"01\":0}")),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        }
        assert_eq!(parse("-1e999").ok(), Some(json!("<-Infinity>")));
    }

    #[test]
    fn indented_text_is_that_of_the_host() {
        let value = json!({"a": [1, {}], "b": {"c": []}});
        assert_eq!(
            stringify_pretty(&value),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": {\n    \"c\": []\n  }\n}"
        );
    }

    #[test]
    fn a_byte_order_mark_is_white_space() {
        assert_eq!(trim("\u{feff} {}\u{a0}\n"), "{}");
        assert_eq!(trim("\u{85}{}"), "\u{85}{}");
    }
}
