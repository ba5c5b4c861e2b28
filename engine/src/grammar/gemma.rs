//! Gemma's notation of values: texts between quoting tokens, bare keys, the rest as in JSON.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use super::json;
use super::reading::{Read, Reading, Stop};

/// Levels of brackets; as deep as arguments may be by default.
const DEPTH_MAX: usize = 64;

/// The tokens of one model.
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) quote: &'static str,
}

/// The notation of values, with what it was seen to be written like.
#[derive(Debug)]
pub(super) struct Notation {
    pub(super) tokens: &'static Tokens,
    pub(super) spelling: &'static str,
}

impl Notation {
    /// The entries of an object up to and including its closing bracket, as JSON text.
    pub(super) fn entries(
        &mut self,
        reading: &mut Reading<'_, '_>,
        depth: usize,
        closer: &str,
    ) -> Read<String> {
        let mut json = "{".to_owned();
        let mut seen = BTreeSet::new();
        loop {
            reading.cursor.skip_space();
            if reading.cursor.eat(closer) {
                json.push('}');
                return Ok(json);
            }
            let key = self.key(reading, closer == ")")?;
            let comma = if seen.is_empty() { "" } else { "," };
            let quoted = Value::String(key.clone());
            if !seen.insert(key) {
                return Err(Stop::Damaged("a key is given twice"));
            }
            let value = self.value(reading, depth)?;
            let _ = write!(json, "{comma}{quoted}:{value}");
            reading.cursor.skip_space();
            if depth == 1 && closer == "}" && reading.cursor.sees(self.tokens.close) {
                self.spelling = "no-last-bracket";
                json.push('}');
                return Ok(json);
            }
            separator(reading, closer)?;
        }
    }

    /// A key with the colon behind it, or the equals sign if the call is a round one.
    fn key(&mut self, reading: &mut Reading<'_, '_>, round: bool) -> Read<String> {
        let sign = if round { "=" } else { ":" };
        if reading.cursor.sees("\"") || reading.cursor.sees(self.tokens.quote) {
            let key = self.text(reading)?;
            reading.expect(sign, "a key without a value")?;
            return Ok(key);
        }
        let key = reading.cursor.take_while(|letter| !":={}[],<\n".contains(letter)).trim_end();
        if key.is_empty() {
            return Err(reading.missing(&[], "a value without a key"));
        }
        let mut ahead = reading.cursor;
        if !round && ahead.eat("=") && ahead.sees(self.tokens.quote) {
            reading.cursor = ahead;
            self.spelling = "equals";
            return Ok(key.to_owned());
        }
        reading.expect(sign, "a key without a value")?;
        Ok(key.to_owned())
    }

    fn value(&mut self, reading: &mut Reading<'_, '_>, depth: usize) -> Read<String> {
        let start = reading.cursor;
        reading.cursor.skip_space();
        if depth >= DEPTH_MAX {
            return Err(Stop::Damaged("brackets are nested too deep"));
        }
        if reading.cursor.eat("{") {
            return self.entries(reading, depth + 1, "}");
        }
        if reading.cursor.eat("[") {
            return self.items(reading, depth + 1);
        }
        if reading.cursor.sees("\"") || reading.cursor.sees(self.tokens.quote) {
            return Ok(Value::String(self.text(reading)?).to_string());
        }
        let word =
            reading.cursor.take_while(|letter| letter.is_alphanumeric() || "+-.".contains(letter));
        if reading.cursor.is_at_end() {
            return Err(Stop::CutOff);
        }
        let known = matches!(word, "true" | "false" | "null");
        let literal = known || serde_json::from_str::<Number>(word).is_ok();
        if literal && !reading.cursor.sees(self.tokens.quote) {
            return Ok(word.to_owned());
        }
        reading.cursor = start;
        self.half_quoted(reading)
    }

    /// A text that only ends with the quoting token.
    fn half_quoted(&mut self, reading: &mut Reading<'_, '_>) -> Read<String> {
        const WHY: &str = "a value without quoting tokens that is no number and no word of JSON";
        let inside = |letter| !"{}[]<>\"'`\n".contains(letter);
        let after_colon = reading.cursor.before() == Some(':');
        let text = reading.cursor.take_while(inside);
        let further = text.split_once(',').is_some_and(|(_, rest)| rest.contains([':', '=']));
        let plain = text.trim() == text && !text.is_empty() && !further;
        if !after_colon || !plain || !reading.cursor.eat(self.tokens.quote) {
            return Err(reading.missing(&[self.tokens.quote], WHY));
        }
        self.spelling = "no-opening-quote";
        Ok(Value::String(text.to_owned()).to_string())
    }

    fn items(&mut self, reading: &mut Reading<'_, '_>, depth: usize) -> Read<String> {
        let mut json = "[".to_owned();
        loop {
            reading.cursor.skip_space();
            if reading.cursor.eat("]") {
                json.push(']');
                return Ok(json);
            }
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&self.value(reading, depth)?);
            separator(reading, "]")?;
        }
    }

    fn text(&mut self, reading: &mut Reading<'_, '_>) -> Read<String> {
        if reading.cursor.sees("\"") {
            self.spelling = "json-quotes";
            let text = reading.json()?;
            // Whether another escape is one, or two characters of the text, nobody knows.
            if text.replace("\\\"", "").contains('\\') {
                return Err(Stop::Damaged("an escape in a format without escapes"));
            }
            return json::string(text).ok_or(Stop::Damaged("a text that is not JSON"));
        }
        reading.cursor.eat(self.tokens.quote);
        let text = reading.cursor.take_until(self.tokens.quote).ok_or(Stop::CutOff)?;
        reading.cursor.eat(self.tokens.quote);
        Ok(text.to_owned())
    }
}

/// A comma, or what closes the bracket (which stays).
fn separator(reading: &mut Reading<'_, '_>, closer: &str) -> Read<()> {
    reading.cursor.skip_space();
    if reading.cursor.eat(",") || reading.cursor.sees(closer) {
        return Ok(());
    }
    Err(reading.missing(&[], "something stands behind a value"))
}

/// Prints entries in curly brackets; `None` where the notation has no escape for a key or text.
pub(super) fn print_entries(
    entries: &Map<String, Value>,
    tokens: &Tokens,
    spelling: &str,
    printed: &mut String,
) -> Option<()> {
    printed.push('{');
    for (at, (key, value)) in entries.iter().enumerate() {
        let plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        if key.is_empty() || !key.chars().all(plain) {
            return None;
        }
        let comma = if at == 0 { "" } else { "," };
        let sign = if spelling == "equals" && value.is_string() { "=" } else { ":" };
        let _ = write!(printed, "{comma}{key}{sign}");
        print_value(value, tokens, spelling, printed)?;
    }
    printed.push('}');
    Some(())
}

/// Prints a value; `None` where the notation has no escape for it.
pub(super) fn print_value(
    value: &Value,
    tokens: &Tokens,
    spelling: &str,
    printed: &mut String,
) -> Option<()> {
    match value {
        Value::String(_) if spelling == "json-quotes" => {
            let quoted = value.to_string();
            if quoted.replace("\\\"", "").contains('\\') {
                return None;
            }
            printed.push_str(&quoted);
        }
        Value::String(text) if text.contains(tokens.quote) => return None,
        Value::String(text) if spelling == "no-opening-quote" => {
            let plain = |letter: char| letter.is_alphanumeric() || letter == ' ';
            if text.is_empty() || text.trim() != text || !text.chars().all(plain) {
                return None;
            }
            let _ = write!(printed, "{text}{}", tokens.quote);
        }
        Value::String(text) => {
            let _ = write!(printed, "{0}{text}{0}", tokens.quote);
        }
        Value::Object(entries) => print_entries(entries, tokens, spelling, printed)?,
        Value::Array(items) => {
            printed.push('[');
            // In a list no colon shows where a text without its first token begins.
            let spelling = if spelling == "no-opening-quote" { "canonical" } else { spelling };
            for (at, item) in items.iter().enumerate() {
                printed.push_str(if at == 0 { "" } else { "," });
                print_value(item, tokens, spelling, printed)?;
            }
            printed.push(']');
        }
        other => printed.push_str(&other.to_string()),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Page;
    use super::*;

    const TOKENS: Tokens = Tokens { open: "<o>", close: "<c>", quote: "<q>" };

    fn printed(value: &Value, spelling: &str) -> Option<String> {
        let mut printed = String::new();
        print_value(value, &TOKENS, spelling, &mut printed).map(|()| printed)
    }

    #[test]
    fn values_are_printed_where_the_notation_has_them() {
        for (value, spelling, text) in [
            (json!({"a": "x", "b-c": 1}), "canonical", Some("{a:<q>x<q>,b-c:1}")),
            (json!({"a": "x", "b": 1}), "equals", Some("{a=<q>x<q>,b:1}")),
            (json!("x y"), "no-opening-quote", Some("x y<q>")),
            (json!(["x", "y"]), "no-opening-quote", Some("[<q>x<q>,<q>y<q>]")),
            (json!(""), "no-opening-quote", None),
            (json!(" x"), "no-opening-quote", None),
            (json!("x!"), "no-opening-quote", None),
            (json!("x<q>"), "canonical", None),
            (json!({"": 1}), "canonical", None),
            (json!({"a b": 1}), "canonical", None),
        ] {
            assert_eq!(printed(&value, spelling).as_deref(), text, "{value} {spelling}");
        }
    }

    #[test]
    fn values_are_read_as_they_stand() {
        let read = |text: &str| {
            let page = Page::new(text, &[]);
            let mut reading =
                Reading { cursor: page.cursor(0), calls: Vec::new(), named: Vec::new() };
            let mut notation = Notation { tokens: &TOKENS, spelling: "canonical" };
            notation.entries(&mut reading, 1, "}").map(|json| (json, notation.spelling))
        };
        let whole = |text: &str| read(text).map(|(json, _)| json);
        assert_eq!(whole("a:1,b:<q>x<q>}"), Ok(r#"{"a":1,"b":"x"}"#.to_owned()));
        assert_eq!(read("a:{b:1}<c>"), Ok((r#"{"a":{"b":1}}"#.to_owned(), "no-last-bracket")));
        assert_eq!(read("a=<q>x<q>}"), Ok((r#"{"a":"x"}"#.to_owned(), "equals")));
        assert_eq!(read("a:x<q>}"), Ok((r#"{"a":"x"}"#.to_owned(), "no-opening-quote")));
        assert!(read("a: x<q>}").is_err());
        assert!(read("a=1}").is_err() && read("a:{b:1<c>}").is_err());
        for (open, close) in [("[", "]"), ("{a:", "}")] {
            let nested = |depth: usize| {
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                read(&format!("a:{open}1{close}}}")).is_ok()
            };
            assert_eq!((nested(62), nested(63)), (true, false), "{open}");
        }
    }
}
