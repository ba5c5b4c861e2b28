//! Calls in Python's syntax, `name(key="text", n=1)`: read into JSON text exactly, and printed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::reading::{Read, Reading, Stop};
use super::{Arguments, Cursor, LeakedCall, Printed};

/// Levels of brackets; as deep as arguments may be by default.
const DEPTH_MAX: usize = 64;

/// Words and what they are in JSON. Models mix the two languages; no word means two things.
const WORDS: &[(&str, &str)] = &[
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
];

/// Escapes of one letter.
const ESCAPES: &[(char, char)] = &[
    ('n', '\n'),
    ('t', '\t'),
    ('r', '\r'),
    ('\\', '\\'),
    ('\'', '\''),
    ('"', '"'),
    ('b', '\u{8}'),
    ('f', '\u{c}'),
    ('a', '\u{7}'),
    ('v', '\u{b}'),
];

/// Steps over `[f(a=1), g(b="x")]`.
pub(super) fn list(reading: &mut Reading<'_, '_>) -> Read<()> {
    reading.expect("[", "the calls are not a list")?;
    loop {
        call(reading, "")?;
        reading.cursor.skip_space();
        let more = reading.cursor.eat(",");
        reading.cursor.skip_space();
        if reading.cursor.eat("]") {
            return Ok(());
        }
        if !more {
            return Err(reading.missing(&[], "something stands between the calls"));
        }
    }
}

/// Steps over `name(key=value, …)`; `method` may follow the name and is syntax.
///
/// Every argument has a name, once. Values are literals: strings, numbers, the three words, lists,
/// tuples, and dictionaries with text keys. Strings are Python's, without prefixes and named characters;
/// a line end inside one counts as written.
pub(super) fn call(reading: &mut Reading<'_, '_>, method: &str) -> Read<()> {
    reading.cursor.skip_space();
    let start = reading.cursor;
    let written = reading.name();
    let name = written.strip_suffix(method).unwrap_or(written);
    if name.is_empty() || !reading.cursor.sees("(") {
        let stop = reading.missing(&[], "no call stands where one should");
        if stop != Stop::CutOff {
            // The word is prose behind the calls.
            reading.cursor = start;
        }
        return Err(stop);
    }
    reading.cursor.eat("(");
    reading.named.push(name.to_owned());
    let mut json = String::new();
    members(&mut reading.cursor, &mut json)?;
    reading.named.pop();
    reading.calls.push(LeakedCall { name: name.to_owned(), arguments: Arguments::Json(json) });
    Ok(())
}

/// True if a call begins at the cursor: a name and a round bracket, no space between.
pub(super) fn sees_call(mut cursor: Cursor<'_, '_>) -> bool {
    let name = cursor.take_while(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
    !name.is_empty() && cursor.sees("(")
}

fn stop(cursor: &Cursor<'_, '_>, why: &'static str) -> Stop {
    if cursor.is_at_end() { Stop::CutOff } else { Stop::Damaged(why) }
}

/// Keyword arguments up to and including the closing bracket.
fn members(cursor: &mut Cursor<'_, '_>, json: &mut String) -> Read<()> {
    let mut seen = BTreeSet::new();
    json.push('{');
    loop {
        cursor.skip_space();
        if cursor.eat(")") {
            json.push('}');
            return Ok(());
        }
        if !seen.is_empty() {
            json.push(',');
        }
        let key = cursor.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        cursor.skip_space();
        if key.is_empty() || cursor.sees("==") || !cursor.eat("=") {
            return Err(stop(cursor, "an argument without a name"));
        }
        if !seen.insert(key) {
            return Err(Stop::Damaged("an argument is given twice"));
        }
        text(key, json);
        json.push(':');
        value(cursor, json, 1)?;
        separator(cursor, ")")?;
    }
}

/// A comma, or what closes the bracket (which stays).
fn separator(cursor: &mut Cursor<'_, '_>, closer: &str) -> Read<()> {
    cursor.skip_space();
    if cursor.eat(",") || cursor.sees(closer) {
        return Ok(());
    }
    Err(stop(cursor, "something stands behind a value"))
}

fn value(cursor: &mut Cursor<'_, '_>, json: &mut String, depth: usize) -> Read<()> {
    cursor.skip_space();
    if depth > DEPTH_MAX {
        return Err(Stop::Damaged("brackets are nested too deep"));
    }
    if cursor.eat("[") {
        return items(cursor, json, depth, "]").map(|_| ());
    }
    if cursor.eat("{") {
        return entries(cursor, json, depth);
    }
    if cursor.eat("(") {
        return tuple(cursor, json, depth);
    }
    if cursor.sees("\"") || cursor.sees("'") {
        let decoded = string(cursor)?;
        text(&decoded, json);
        return Ok(());
    }
    let word = cursor.take_while(|letter| letter.is_alphanumeric() || "_+-.".contains(letter));
    if cursor.is_at_end() {
        return Err(Stop::CutOff);
    }
    if let Some((_, known)) = WORDS.iter().find(|(python, _)| *python == word) {
        json.push_str(known);
        return Ok(());
    }
    if serde_json::from_str::<Number>(word).is_err() {
        return Err(Stop::Damaged("a value that is no literal"));
    }
    json.push_str(word);
    Ok(())
}

/// A tuple is a list; but one value in round brackets is that value and no tuple.
fn tuple(cursor: &mut Cursor<'_, '_>, json: &mut String, depth: usize) -> Read<()> {
    match items(cursor, json, depth, ")")? {
        1 => Err(Stop::Damaged("round brackets around one value")),
        _ => Ok(()),
    }
}

/// Values up to and including the closing bracket; how many.
fn items(
    cursor: &mut Cursor<'_, '_>,
    json: &mut String,
    depth: usize,
    closer: &str,
) -> Read<usize> {
    json.push('[');
    let mut count = 0;
    loop {
        cursor.skip_space();
        if cursor.eat(closer) {
            json.push(']');
            return Ok(count);
        }
        if count > 0 {
            json.push(',');
        }
        value(cursor, json, depth + 1)?;
        count += 1;
        separator(cursor, closer)?;
    }
}

fn entries(cursor: &mut Cursor<'_, '_>, json: &mut String, depth: usize) -> Read<()> {
    json.push('{');
    let mut seen = BTreeSet::new();
    loop {
        cursor.skip_space();
        if cursor.eat("}") {
            json.push('}');
            return Ok(());
        }
        if !cursor.sees("\"") && !cursor.sees("'") {
            return Err(stop(cursor, "a key that is no text"));
        }
        let key = string(cursor)?;
        cursor.skip_space();
        if !cursor.eat(":") {
            return Err(stop(cursor, "a key without a value"));
        }
        if !seen.is_empty() {
            json.push(',');
        }
        text(&key, json);
        json.push(':');
        if !seen.insert(key) {
            return Err(Stop::Damaged("a key is given twice"));
        }
        value(cursor, json, depth + 1)?;
        separator(cursor, "}")?;
    }
}

/// Appends text as a JSON string.
fn text(decoded: &str, json: &mut String) {
    json.push_str(&Value::String(decoded.to_owned()).to_string());
}

/// A string literal, decoded.
fn string(cursor: &mut Cursor<'_, '_>) -> Read<String> {
    let quote = cursor.eat_any(&["\"\"\"", "'''", "\"", "'"]).ok_or(Stop::NoBlock)?;
    let letter = if quote.starts_with('"') { '"' } else { '\'' };
    let mut decoded = String::new();
    loop {
        decoded.push_str(cursor.take_while(|other| other != '\\' && other != letter));
        if cursor.eat(quote) {
            return Ok(decoded);
        }
        if cursor.eat("\\") {
            escape(cursor, &mut decoded)?;
        } else if cursor.eat_any(&["\"", "'"]).is_some() {
            decoded.push(letter);
        } else {
            return Err(Stop::CutOff);
        }
    }
}

fn escape(cursor: &mut Cursor<'_, '_>, decoded: &mut String) -> Read<()> {
    let letter = cursor.rest().chars().next().ok_or(Stop::CutOff)?;
    if let Some((_, meant)) = ESCAPES.iter().find(|(written, _)| *written == letter) {
        decoded.push(*meant);
        cursor.go(cursor.at() + letter.len_utf8());
        return Ok(());
    }
    if letter.is_digit(8) {
        decoded.push(number(cursor, 3, 8)?);
        return Ok(());
    }
    let length = match letter {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '\n' => {
            cursor.eat("\n");
            return Ok(());
        }
        'N' | '/' | '\r' => return Err(Stop::Damaged("an escape that may mean two things")),
        // As Python has it, an unknown escape is two characters.
        _ => {
            decoded.push('\\');
            return Ok(());
        }
    };
    cursor.go(cursor.at() + 1);
    let digits =
        cursor.rest().get(..length).ok_or(Stop::Damaged("an escape without its digits"))?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(Stop::Damaged("an escape without its digits"));
    }
    decoded.push(number(cursor, length, 16)?);
    Ok(())
}

/// The character of this many digits at most.
fn number(cursor: &mut Cursor<'_, '_>, most: usize, radix: u32) -> Read<char> {
    let rest = cursor.rest();
    let digits = rest.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix));
    let length = digits.count();
    let code = rest.get(..length).and_then(|digits| u32::from_str_radix(digits, radix).ok());
    cursor.go(cursor.at() + length);
    code.and_then(char::from_u32).ok_or(Stop::Damaged("an escape of no character"))
}

/// Prints a call; `None` if its name or the name of an argument is no word of Python.
pub(super) fn print(call: &Printed<'_>) -> Option<String> {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_word = |text: &str| !text.is_empty() && text.chars().all(plain);
    if call.name.is_empty() || !call.name.chars().all(|letter| plain(letter) || letter == '.') {
        return None;
    }
    let mut printed = format!("{}(", call.name);
    for (at, (key, value)) in call.arguments.iter().enumerate() {
        if !is_word(key) {
            return None;
        }
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(printed, "{comma}{key}=");
        literal(value, &mut printed);
    }
    printed.push(')');
    Some(printed)
}

fn literal(value: &Value, printed: &mut String) {
    match value {
        Value::Null => printed.push_str("None"),
        Value::Bool(true) => printed.push_str("True"),
        Value::Bool(false) => printed.push_str("False"),
        Value::Number(number) => {
            let _ = write!(printed, "{number}");
        }
        Value::String(text) => quoted(text, printed),
        Value::Array(items) => {
            printed.push('[');
            for (at, item) in items.iter().enumerate() {
                printed.push_str(if at == 0 { "" } else { ", " });
                literal(item, printed);
            }
            printed.push(']');
        }
        Value::Object(entries) => {
            printed.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                printed.push_str(if at == 0 { "" } else { ", " });
                quoted(key, printed);
                printed.push_str(": ");
                literal(item, printed);
            }
            printed.push('}');
        }
    }
}

fn quoted(text: &str, printed: &mut String) {
    let quote = if text.contains('\'') { '"' } else { '\'' };
    printed.push(quote);
    for letter in text.chars() {
        match ESCAPES.iter().find(|(_, meant)| *meant == letter) {
            Some((_, '\'' | '"')) if letter != quote => printed.push(letter),
            Some((written, _)) => printed.extend(['\\', *written]),
            None if letter.is_control() => {
                let _ = write!(printed, "\\U{:08x}", u32::from(letter));
            }
            None => printed.push(letter),
        }
    }
    printed.push(quote);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Page;
    use super::*;

    fn read(text: &str) -> Read<String> {
        let page = Page::new(text, &[]);
        let mut reading = Reading { cursor: page.cursor(0), calls: Vec::new(), named: Vec::new() };
        call(&mut reading, "")?;
        match reading.calls.pop().map(|call| call.arguments) {
            Some(Arguments::Json(json)) if reading.cursor.is_at_end() => Ok(json),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn literals_become_json_exactly() {
        for (text, json) in [
            (r#"f(a='it\'s', b="\\d\d\n")"#, r#"{"a":"it's","b":"\\d\\d\n"}"#),
            (r"f(a='\x41\u00e9\U0001f600\101')", r#"{"a":"Aé😀A"}"#),
            ("f(a=\"\"\"x \"y\"\nz\"\"\", b='')", r#"{"a":"x \"y\"\nz","b":""}"#),
            ("f(a='one\ntwo')", r#"{"a":"one\ntwo"}"#),
            (
                "f(\n  a = -1.50,\n  b = 12345678901234567890,\n)",
                r#"{"a":-1.50,"b":12345678901234567890}"#,
            ),
            (
                "f(a=[None, True, false], b={'k': {}, \"l\": []})",
                r#"{"a":[null,true,false],"b":{"k":{},"l":[]}}"#,
            ),
            ("f(a=(800, 600))", r#"{"a":[800,600]}"#),
            ("f()", "{}"),
            ("f(a='x\\\ny')", r#"{"a":"xy"}"#),
        ] {
            assert_eq!(read(text), Ok(json.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_literal_is_damaged() {
        for text in [
            "f('x')",
            "f(a=b)",
            "f(a='x' 'y')",
            "f(a=f'x')",
            "f(a=1_000)",
            "f(a=0x10)",
            "f(a=(1))",
            "f(a={1: 2})",
            "f(a=1, a=2)",
            "f(a={'k': 1, 'k': 2})",
            r"f(a='\ud800')",
            r"f(a='\N{BULLET}')",
            "f(a==1)",
            "f(=1)",
            "f(**x)",
            "f(a=1 b=2)",
            "f(a=nan)",
            "f(a=1+1)",
            "f(,)",
            "f(a=[1,,2])",
        ] {
            assert!(matches!(read(text), Err(Stop::Damaged(_))), "{text}: {:?}", read(text));
        }
        for text in ["f(", "f(a", "f(a=", "f(a='x", "f(a='x'", "f(a=[1", "f(a=tru", "f(a={'k'", "f"]
        {
            assert_eq!(read(text), Err(Stop::CutOff), "{text}");
        }
    }

    #[test]
    fn brackets_nest_as_deep_as_arguments_may() {
        for (open, close) in [("[", "]"), ("{'k':", "}")] {
            let nested = |depth: usize| {
                let (open, close) = (open.repeat(depth - 1), close.repeat(depth - 1));
                read(&format!("f(a={open}[]{close})")).is_ok()
            };
            assert_eq!((nested(64), nested(65)), (true, false), "{open}");
        }
    }

    #[test]
    fn calls_are_printed_only_as_python_has_them() {
        let print = |name, arguments: &Value| {
            print(&Printed { name, arguments: arguments.as_object().expect("is an object") })
        };
        let text = json!({"a": "it's \"x\"\u{1}é", "b": [1, null]});
        let printed = r#"a.f(a="it's \"x\"\U00000001é", b=[1, None])"#;
        assert_eq!(print("a.f", &text).as_deref(), Some(printed));
        for (name, arguments) in
            [("f", json!({"": 1})), ("f", json!({"a b": 1})), ("", json!({})), ("a b", json!({}))]
        {
            assert_eq!(print(name, &arguments), None, "{name} {arguments}");
        }
    }

    #[test]
    fn a_call_begins_with_a_name_and_a_bracket() {
        let sees = |text: &str| sees_call(Page::new(text, &[]).cursor(0));
        assert!(sees("f(") && !sees("f x") && !sees("("));
    }
}
