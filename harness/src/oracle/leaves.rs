//! Leaf accounting: which strings, numbers and booleans a call could ever yield, by the harness's own naive reading.

use serde_json::{Number, Value};

use super::equal::same_number;
use super::reference::is_exact;
use crate::malform::Form;

/// Quotes in any spelling a model uses.
const QUOTES: &[char] = &['"', '\'', '“', '”', '„', '‘', '’', '`'];

/// What may stand before a value in a text that a configured clean-up shortens.
const BEFORE: &[&str] = &["<arg_value>", "^", "["];

/// What may stand behind it.
const BEHIND: &[&str] = &["</arg_value>", "</tool_call>", "$", "]("];

/// Levels of encoding that are undone.
const LEVELS_MAX: usize = 10;

/// Everything a call can supply, read generously: more than any right reading needs, but never a shortened,
/// lengthened or invented string.
#[derive(Debug)]
pub struct Supply {
    texts: Vec<String>,
    numbers: Vec<Number>,
    booleans: [bool; 2],
    null: bool,
}

impl Supply {
    /// What `form` can supply.
    pub fn of(form: &Form) -> Self {
        let mut supply =
            Self { texts: Vec::new(), numbers: Vec::new(), booleans: [false; 2], null: false };
        match form {
            Form::Text(text) => supply.add_text(text),
            Form::Value(value) => supply.add_value(value),
        }
        supply
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Null => self.null = true,
            Value::Bool(truth) => self.booleans[usize::from(*truth)] = true,
            Value::Number(number) => self.numbers.push(number.clone()),
            Value::String(text) => self.add_text(text),
            Value::Array(items) => items.iter().for_each(|item| self.add_value(item)),
            Value::Object(map) => map.values().for_each(|value| self.add_value(value)),
        }
    }

    fn add_text(&mut self, text: &str) {
        let mut levels = vec![text.to_owned()];
        while levels.len() < LEVELS_MAX {
            let next = unescaped(&levels[levels.len() - 1]);
            if levels.contains(&next) {
                break;
            }
            levels.push(next);
        }
        for level in &levels {
            let lower = level.to_ascii_lowercase();
            self.booleans[0] |= lower.contains("false");
            self.booleans[1] |= lower.contains("true");
            self.null |= lower.contains("null") || lower.contains("none");
            self.numbers.extend(numbers(level));
        }
        for level in levels {
            let unlinked = unlinked(&level);
            let restored = restored(&level);
            let decoded = decoded(&level);
            self.texts.extend([unlinked, restored, decoded].into_iter().flatten());
            self.texts.push(level);
        }
    }

    /// True if a leaf of a result may come from this call.
    pub fn grants(&self, leaf: &Value) -> bool {
        match leaf {
            Value::Null => self.null,
            Value::Bool(truth) => self.booleans[usize::from(*truth)],
            Value::Number(number) => self.numbers.iter().any(|known| same_number(known, number)),
            Value::String(text) => self.texts.iter().any(|known| stands_whole(known, text)),
            Value::Array(_) | Value::Object(_) => true,
        }
    }

    /// True if a string of a result may come from this call when case does not count.
    pub fn grants_in_other_case(&self, text: &str) -> bool {
        let wanted = text.to_lowercase();
        self.texts.iter().any(|known| stands_whole(&known.to_lowercase(), &wanted))
    }
}

/// True if `wanted` is all of `text`, or stands in it between quotes or other known bounds.
fn stands_whole(text: &str, wanted: &str) -> bool {
    if text == wanted {
        return true;
    }
    let mut from = 0;
    while let Some(at) = text[from..].find(wanted).map(|at| from + at) {
        let (before, behind) = (&text[..at], &text[at + wanted.len()..]);
        let opens = before.ends_with(QUOTES) || BEFORE.iter().any(|mark| before.ends_with(mark));
        let closes = behind.starts_with(QUOTES)
            || behind.starts_with("\\\"")
            || BEHIND.iter().any(|mark| behind.starts_with(mark));
        let starts = opens || before.is_empty();
        let ends = closes || behind.is_empty();
        // A text that only starts or only ends with `wanted` counts where the other side is a bound.
        if starts && ends && (opens || closes) && !(opens && behind.is_empty() && cut(before)) {
            return true;
        }
        from = match text[at..].chars().next() {
            Some(first) => at + first.len_utf8(),
            None => return false,
        };
    }
    false
}

/// True if what opened last is a quote: a string that runs into the end of the text was cut.
fn cut(before: &str) -> bool {
    before.ends_with(QUOTES)
}

/// A text with every level of JSON escapes undone.
pub fn fully_decoded(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..2 * LEVELS_MAX {
        let next = unescaped(&text);
        if next == text {
            break;
        }
        text = next;
    }
    text
}

/// A text with its JSON escapes undone, whatever stands around them.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            flush(&mut units, &mut out);
            out.push(c);
            continue;
        }
        let rest = chars.as_str();
        if let Some((unit, length)) = code(rest) {
            units.push(unit);
            chars = rest[length..].chars();
            continue;
        }
        flush(&mut units, &mut out);
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some(known @ ('"' | '\\' | '/' | '\'')) => out.push(known),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    flush(&mut units, &mut out);
    out
}

/// The code unit behind `u` or Python's `x`, and how long that is.
fn code(rest: &str) -> Option<(u16, usize)> {
    [('u', 4), ('x', 2)].into_iter().find_map(|(letter, count)| {
        let digits = rest.strip_prefix(letter)?.get(..count)?;
        Some((u16::from_str_radix(digits, 16).ok()?, count + 1))
    })
}

fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or('\u{fffd}')));
}

/// Every run of characters in a text that is a number.
fn numbers(text: &str) -> Vec<Number> {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    text.split(|c| !part(c))
        .map(|run| run.trim_matches(|c: char| !c.is_ascii_digit() && c != '-'))
        .filter(|run| is_exact(run))
        .filter_map(|run| serde_json::from_str(run).ok())
        .collect()
}

/// The text with every link whose text is its own target replaced by it.
fn unlinked(text: &str) -> Option<String> {
    let mut out = text.to_owned();
    for scheme in ["http://", "https://"] {
        while let Some((start, end, name)) = link(&out, scheme) {
            out.replace_range(start..end, &name);
        }
    }
    (out != text).then_some(out)
}

fn link(text: &str, scheme: &str) -> Option<(usize, usize, String)> {
    text.match_indices('[').find_map(|(start, _)| {
        let (name, target) = text[start + 1..].split_once("](")?;
        let rest = target.strip_prefix(scheme)?.strip_prefix(name)?.strip_prefix(')')?;
        (!name.is_empty()).then(|| (start, text.len() - rest.len(), name.to_owned()))
    })
}

/// The text with the control characters of short escapes written as a backslash and a letter.
fn restored(text: &str) -> Option<String> {
    let letters = [('\u{8}', "\\b"), ('\u{c}', "\\f"), ('\n', "\\n"), ('\r', "\\r"), ('\t', "\\t")];
    let out = letters.iter().fold(text.to_owned(), |text, (c, letter)| text.replace(*c, letter));
    (out != text && text.contains(':')).then_some(out)
}

/// The text with one level of HTML entities decoded.
fn decoded(text: &str) -> Option<String> {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&apos;", "'"),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    let out = entities.iter().fold(text.to_owned(), |text, (name, c)| text.replace(name, c));
    (out != text).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_strings_are_granted_and_pieces_are_not() {
        let supply =
            Supply::of(&Form::Text(r#"{"a":"x \"y\"","b":["1\n2", 30], 'c': 'rm -r"#.into()));
        for leaf in [json!("x \"y\""), json!("1\n2"), json!(30), json!("a")] {
            assert!(supply.grants(&leaf), "{leaf}");
        }
        for leaf in [json!("x"), json!("1\n"), json!(31), json!("rm -r"), json!("z"), json!(null)] {
            assert!(!supply.grants(&leaf), "{leaf}");
        }
    }

    #[test]
    fn encoded_strings_are_granted() {
        let inner = json!({"path": "a\\b", "n": [true]}).to_string();
        let supply = Supply::of(&Form::Value(json!({"x": json!(inner).to_string()})));
        assert!(supply.grants(&json!("a\\b")) && supply.grants(&json!(true)));
        assert!(!supply.grants(&json!(false)) && !supply.grants(&json!("a")));
    }

    #[test]
    fn configured_clean_ups_are_granted() {
        let supply =
            Supply::of(&Form::Value(json!(["^/x$", "w/[a.md](http://a.md)", "a &amp; b"])));
        for leaf in ["/x", "w/a.md", "a & b"] {
            assert!(supply.grants(&json!(leaf)), "{leaf}");
        }
    }
}
