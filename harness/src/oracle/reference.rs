//! A slow reference: a strict reading that notices repeated keys, and every single edit that could make a value fit.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::json::{Place, at, at_mut, child, parent_mut};

/// How a text reads strictly.
#[derive(Clone, Debug, PartialEq)]
pub enum Strict {
    /// One JSON value, every key once.
    Value(Value),
    /// JSON, but one object gives one key two different values.
    Conflict,
    /// Not one JSON value, or too deep for this reading.
    Other,
}

/// Openers above which a text may be too deep for `serde_json`, which reads 127 levels.
const OPENERS_MAX: usize = 120;

/// True if a text may be too deep for this reading.
pub fn is_beyond(text: &str) -> bool {
    text.matches(['{', '[']).count() > OPENERS_MAX
}

/// Reads a text by `serde_json`, noticing repeated keys.
pub fn read_strict(text: &str) -> Strict {
    match serde_json::from_str::<Noticing>(text) {
        Ok(Noticing(value)) => Strict::Value(value),
        Err(error) if error.to_string().starts_with(CONFLICT) => Strict::Conflict,
        Err(_) => Strict::Other,
    }
}

const CONFLICT: &str = "one key, two values";
const REPEAT: &str = "one key, twice";

/// A value whose objects have every key once.
struct Noticing(Value);

impl<'de> Deserialize<'de> for Noticing {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NoticingVisitor).map(Noticing)
    }
}

struct NoticingVisitor;

impl<'de> Visitor<'de> for NoticingVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<Value, E> {
        Ok(truth.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Noticing(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some((key, Noticing(value))) = map.next_entry::<String, Noticing>()? {
            match members.insert(key, value.clone()) {
                None => {}
                Some(before) if before == value => return Err(A::Error::custom(REPEAT)),
                Some(_) => return Err(A::Error::custom(CONFLICT)),
            }
        }
        Ok(members.into())
    }
}

/// Every value that differs from `value` by one plain edit at one place: a member dropped, a text read strictly, a
/// value wrapped into or taken out of a list, a text in another case among `choices`.
///
/// Nothing is filtered: which of them fit is for a validator to say.
pub fn single_edits(value: &Value, choices: &[String]) -> Vec<Value> {
    let mut found = Vec::new();
    for place in places(value) {
        let Some(here) = at(value, &place) else { continue };
        let mut put = |new: Value| {
            let mut edited = value.clone();
            if let Some(slot) = at_mut(&mut edited, &place) {
                *slot = new;
                found.push(edited);
            }
        };
        put(Value::Array(vec![here.clone()]));
        match here {
            Value::Array(items) if items.len() == 1 => put(items[0].clone()),
            Value::String(text) => {
                if let Ok(read) = serde_json::from_str(text.trim()) {
                    put(read);
                }
                let other_case = choices.iter().filter(|choice| {
                    choice.to_lowercase() == text.to_lowercase() && *choice != text
                });
                other_case.for_each(|choice| put(choice.as_str().into()));
                for truth in [true, false] {
                    if text.eq_ignore_ascii_case(&truth.to_string()) {
                        put(truth.into());
                    }
                }
            }
            _ => {}
        }
        let mut edited = value.clone();
        if let Some((map, key)) = parent_mut(&mut edited, &place) {
            map.shift_remove(&key);
            found.push(edited);
        }
    }
    found
}

/// Every place in a value, the root first.
fn places(value: &Value) -> Vec<Place> {
    let mut found = Vec::new();
    let mut open: Vec<(Place, &Value)> = vec![(Vec::new(), value)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                let numbered = items.iter().enumerate();
                open.extend(numbered.map(|(index, item)| (child(&place, index.to_string()), item)));
            }
            Value::Object(map) => {
                open.extend(map.iter().map(|(key, item)| (child(&place, key.clone()), item)));
            }
            _ => {}
        }
        found.push(place);
    }
    found
}

/// Every text that some `enum` or `const` of a schema lists.
pub fn choices(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        match schema {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                let listed = map.get("enum").and_then(Value::as_array).into_iter().flatten();
                found.extend(
                    listed.chain(map.get("const")).filter_map(Value::as_str).map(str::to_owned),
                );
                open.extend(map.values());
            }
            _ => {}
        }
    }
    found
}

/// Every number token outside strings of a strict JSON text, as written.
pub fn number_tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[at..];
        let end = if rest.starts_with('"') {
            string_end(rest)
        } else {
            let part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
            let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
            found.push(&rest[..end]);
            end
        };
        rest = &rest[end..];
    }
    found
}

fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' => escaped = !escaped,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

/// True if a 64-bit integer or a double, printed in its shortest form, says what the token says.
pub fn is_exact(token: &str) -> bool {
    let Ok(number) = serde_json::from_str::<serde_json::Number>(token) else { return false };
    if number.is_i64() || number.is_u64() {
        return true;
    }
    let float = number.as_f64().unwrap_or(f64::NAN);
    float.is_finite() && decimal(token) == decimal(&format!("{float:e}"))
}

/// A number token as its significant digits and the power of ten behind the last.
fn decimal(token: &str) -> Option<(bool, String, i64)> {
    let (mantissa, power) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut power: i64 = power.trim_start_matches('+').parse().ok()?;
    power -= i64::try_from(fraction.len()).ok()?;
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let short = digits.trim_end_matches('0');
    power += i64::try_from(digits.len() - short.len()).ok()?;
    Some(if short.is_empty() {
        (negative, String::new(), 0)
    } else {
        (negative, short.to_owned(), power)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn repeated_keys_are_noticed() {
        assert_eq!(
            read_strict(r#"{"a":1,"b":[{"a":2}]}"#),
            Strict::Value(json!({"a": 1, "b": [{"a": 2}]}))
        );
        assert_eq!(read_strict(r#"{"a":1,"a":2}"#), Strict::Conflict);
        assert_eq!(read_strict(r#"{"a":1,"a":1}"#), Strict::Other);
        assert_eq!(read_strict("{} {}"), Strict::Other);
    }

    #[test]
    fn edits_are_single() {
        let edits = single_edits(&json!({"a": "[1]", "b": null}), &[]);
        assert!(edits.contains(&json!({"a": [1], "b": null})));
        assert!(edits.contains(&json!({"a": "[1]"})));
        assert!(!edits.contains(&json!({"a": [1]})));
    }

    #[test]
    fn exact_numbers_are_told_from_others() {
        assert_eq!(number_tokens(r#"{"1":[-2.50,3e2,"4\"5"]}"#), ["-2.50", "3e2"]);
        for token in ["0.1", "-2.50", "3e2", "1.0", "9007199254740993", "0", "1e300", "-0"] {
            assert!(is_exact(token), "{token}");
        }
        for token in
            ["1e400", "0.1000000000000000055511151231257827", "123456789012345678901234567890"]
        {
            assert!(!is_exact(token), "{token}");
        }
    }
}
