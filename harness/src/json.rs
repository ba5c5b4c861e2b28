//! JSON as the harness handles it: pointers and selectors, tokens that can be respelled, Python spelling.

use serde_json::{Map, Value};

/// The segments from the root of a value to one place in it, unescaped.
pub type Place = Vec<String>;

/// Writes a place as an RFC 6901 pointer.
pub fn pointer(place: &[String]) -> String {
    place.iter().flat_map(|segment| ["/".to_owned(), escape(segment)]).collect()
}

/// Escapes one segment of a pointer or selector.
pub fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// The places in `value` that a selector such as `/edits/*/oldText` names; `*` stands for every item of a list.
pub fn select(value: &Value, selector: &str) -> Vec<Place> {
    let mut found: Vec<(Place, &Value)> = vec![(Vec::new(), value)];
    for segment in selector.split('/').skip(1).map(unescape) {
        let mut next = Vec::new();
        for (place, value) in found {
            match value {
                Value::Array(items) if segment == "*" => {
                    next.extend(
                        items
                            .iter()
                            .enumerate()
                            .map(|(at, item)| (child(&place, at.to_string()), item)),
                    );
                }
                Value::Object(map) => {
                    next.extend(
                        map.get(&segment).map(|value| (child(&place, segment.clone()), value)),
                    );
                }
                _ => {}
            }
        }
        found = next;
    }
    found.into_iter().map(|(place, _)| place).collect()
}

/// A selector split into the selector of the parent and the unescaped last segment.
pub fn split_selector(selector: &str) -> Option<(&str, String)> {
    selector.rsplit_once('/').map(|(parent, key)| (parent, unescape(key)))
}

/// `place`, one segment further down.
pub fn child(place: &[String], segment: String) -> Place {
    let mut place = place.to_vec();
    place.push(segment);
    place
}

/// The value at a place.
pub fn at<'a>(value: &'a Value, place: &[String]) -> Option<&'a Value> {
    value.pointer(&pointer(place))
}

/// The value at a place, to change it.
pub fn at_mut<'a>(value: &'a mut Value, place: &[String]) -> Option<&'a mut Value> {
    value.pointer_mut(&pointer(place))
}

/// The object that holds a place, and the key in it.
pub fn parent_mut<'a>(
    value: &'a mut Value,
    place: &[String],
) -> Option<(&'a mut Map<String, Value>, String)> {
    let (key, parent) = place.split_last()?;
    Some((at_mut(value, parent)?.as_object_mut()?, key.clone()))
}

/// Gives a key another name and keeps its position; does nothing where the new name is taken.
pub fn rename(map: &mut Map<String, Value>, from: &str, to: &str) -> bool {
    if map.contains_key(to) || !map.contains_key(from) {
        return false;
    }
    let old = std::mem::take(map);
    map.extend(
        old.into_iter().map(|(key, value)| (if key == from { to.to_owned() } else { key }, value)),
    );
    true
}

/// Every scalar and every empty container, with its place.
pub fn leaves(value: &Value) -> Vec<(Place, &Value)> {
    let mut open: Vec<(Place, &Value)> = vec![(Vec::new(), value)];
    let mut found = Vec::new();
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Array(items) if !items.is_empty() => {
                open.extend(
                    items
                        .iter()
                        .enumerate()
                        .rev()
                        .map(|(at, item)| (child(&place, at.to_string()), item)),
                );
            }
            Value::Object(map) if !map.is_empty() => {
                open.extend(
                    map.iter().rev().map(|(key, value)| (child(&place, key.clone()), value)),
                );
            }
            _ => found.push((place, value)),
        }
    }
    found
}

/// Every string and every key of a value.
pub fn strings(value: &Value) -> Vec<&str> {
    let mut open = vec![value];
    let mut found = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text.as_str()),
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                found.extend(map.keys().map(String::as_str));
                open.extend(map.values());
            }
            _ => {}
        }
    }
    found
}

/// What a token is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part {
    /// `{` or `[`.
    Open,
    /// `}` or `]`.
    Close,
    /// `,`.
    Comma,
    /// `:`.
    Colon,
    /// The key of a member.
    Key,
    /// A string value.
    Text,
    /// A number, `true`, `false` or `null`.
    Scalar,
    /// White space, or something a malformation put between tokens.
    Gap,
}

/// One token: what it is, how it is spelled, and what it means where it is a string.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub part: Part,
    /// How it is spelled in the text.
    pub spelling: String,
    /// The decoded string of a key or text.
    pub meaning: String,
}

impl Token {
    fn new(part: Part, spelling: impl Into<String>) -> Self {
        Self { part, spelling: spelling.into(), meaning: String::new() }
    }

    fn quoted(part: Part, meaning: &str) -> Self {
        Self { part, spelling: quote(meaning), meaning: meaning.to_owned() }
    }

    /// Something between tokens.
    pub fn gap(spelling: impl Into<String>) -> Self {
        Self::new(Part::Gap, spelling)
    }

    /// Whether it is a key or a string value.
    pub fn is_string(&self) -> bool {
        matches!(self.part, Part::Key | Part::Text)
    }
}

/// White space between tokens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Spacing {
    /// None.
    Dense,
    /// One blank after a comma and a colon.
    Blank,
    /// One member a line, indented by two blanks.
    Lines,
}

/// A string as strict JSON spells it.
pub fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

/// Cuts a value into tokens.
pub fn tokens(value: &Value, spacing: Spacing) -> Vec<Token> {
    let mut out = Vec::new();
    write(value, spacing, 0, &mut out);
    out
}

/// Joins tokens to a text.
pub fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.spelling.as_str()).collect()
}

/// Writes a value as strict JSON text.
pub fn render(value: &Value, spacing: Spacing) -> String {
    join(&tokens(value, spacing))
}

fn write(value: &Value, spacing: Spacing, depth: usize, out: &mut Vec<Token>) {
    match value {
        Value::String(text) => out.push(Token::quoted(Part::Text, text)),
        Value::Array(items) => {
            out.push(Token::new(Part::Open, "["));
            for (index, item) in items.iter().enumerate() {
                separate(index, spacing, depth + 1, out);
                write(item, spacing, depth + 1, out);
            }
            end_container("]", items.is_empty(), spacing, depth, out);
        }
        Value::Object(map) => {
            out.push(Token::new(Part::Open, "{"));
            for (index, (key, item)) in map.iter().enumerate() {
                separate(index, spacing, depth + 1, out);
                out.push(Token::quoted(Part::Key, key));
                out.push(Token::new(Part::Colon, ":"));
                if spacing != Spacing::Dense {
                    out.push(Token::gap(" "));
                }
                write(item, spacing, depth + 1, out);
            }
            end_container("}", map.is_empty(), spacing, depth, out);
        }
        scalar => out.push(Token::new(Part::Scalar, scalar.to_string())),
    }
}

fn separate(index: usize, spacing: Spacing, depth: usize, out: &mut Vec<Token>) {
    if index > 0 {
        out.push(Token::new(Part::Comma, ","));
    }
    match spacing {
        Spacing::Dense => {}
        Spacing::Blank if index == 0 => {}
        Spacing::Blank => out.push(Token::gap(" ")),
        Spacing::Lines => out.push(Token::gap(format!("\n{}", "  ".repeat(depth)))),
    }
}

fn end_container(closer: &str, empty: bool, spacing: Spacing, depth: usize, out: &mut Vec<Token>) {
    if spacing == Spacing::Lines && !empty {
        out.push(Token::gap(format!("\n{}", "  ".repeat(depth))));
    }
    out.push(Token::new(Part::Close, closer));
}

/// A string as Python's `repr` spells it; none where that needs an escape JSON does not share.
pub fn python_quote(text: &str) -> Option<String> {
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || text.contains('\u{feff}')
    {
        return None;
    }
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    Some(out)
}

/// Respells tokens the way Python's `repr` prints them; none where a string cannot be spelled so,
/// or where nothing would look different.
pub fn python(tokens: &[Token]) -> Option<Vec<Token>> {
    let mut out = tokens.to_vec();
    let mut changed = false;
    for token in &mut out {
        let spelling = match (token.part, token.spelling.as_str()) {
            (Part::Key | Part::Text, _) => python_quote(&token.meaning)?,
            (Part::Scalar, "true") => "True".to_owned(),
            (Part::Scalar, "false") => "False".to_owned(),
            (Part::Scalar, "null") => "None".to_owned(),
            _ => continue,
        };
        changed |= spelling != token.spelling;
        token.spelling = spelling;
    }
    changed.then_some(out)
}

/// A string between double quotes with its control characters left raw; quotes and backslashes are escaped.
pub fn raw_quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_spacing_reads_back() {
        let value = json!({"a": [1, {"b/c": "x\n\"y\""}, []], "": {}, "~": null});
        for spacing in [Spacing::Dense, Spacing::Blank, Spacing::Lines] {
            assert_eq!(
                serde_json::from_str::<Value>(&render(&value, spacing)).ok(),
                Some(value.clone())
            );
        }
        assert_eq!(render(&value, Spacing::Dense), value.to_string());
    }

    #[test]
    fn selectors_name_places() {
        let value = json!({"edits": [{"old": 1}, {"new": 2}, {"old": 3}], "a/b": {"~": 1}});
        let named = |selector| {
            select(&value, selector).iter().map(|place| pointer(place)).collect::<Vec<_>>()
        };
        assert_eq!(named("/edits/*/old"), ["/edits/0/old", "/edits/2/old"]);
        assert_eq!(named("/a~1b/~0"), ["/a~1b/~0"]);
        assert_eq!(named(""), [""]);
        assert_eq!(named("/none"), [] as [&str; 0]);
    }

    #[test]
    fn renaming_keeps_the_position() {
        let mut value = json!({"a": 1, "b": 2, "c": 3});
        assert!(rename(value.as_object_mut().expect("an object"), "b", "z"));
        assert_eq!(value.to_string(), r#"{"a":1,"z":2,"c":3}"#);
    }

    #[test]
    fn python_spells_as_repr_does() {
        let value = json!({"a": [true, null, "it's", "say \"x\"", "a\\b\n", "it's \"x\""]});
        let text = python(&tokens(&value, Spacing::Blank)).map(|tokens| join(&tokens));
        assert_eq!(
            text.as_deref(),
            Some(r#"{'a': [True, None, "it's", 'say "x"', 'a\\b\n', 'it\'s "x"']}"#)
        );
        assert!(python(&tokens(&json!([1, 2]), Spacing::Dense)).is_none());
    }
}
