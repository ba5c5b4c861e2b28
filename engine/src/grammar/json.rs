//! Finds where a JSON value ends, without reading it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::reader::Reading;

/// How a JSON value in a text ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum JsonEnd<'t> {
    /// The value is whole; its text.
    Whole(&'t str),
    /// Something stands in it that JSON does not have there.
    Broken,
    /// The text ends inside the value.
    CutOff,
}

/// The same, as [`end`] reports it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum End {
    Whole,
    Broken,
    CutOff,
}

/// Levels of brackets; deeper ones count as broken. As deep as arguments may be by default.
const DEPTH_MAX: usize = 64;

/// What may come next.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Next {
    Value,
    /// A value, or the end of the list that was just opened.
    FirstItem,
    /// A key, or the end of the object that was just opened.
    FirstKey,
    Key,
    Colon,
    /// A comma, or the end of what is open.
    Separator,
}

/// The length of the JSON value at the front of `text`, or of what was read of it, and how it ends.
///
/// One pass over the bytes of the value.
pub(super) fn end(text: &str) -> (usize, End) {
    let mut walk = Walk { bytes: text.as_bytes(), at: 0, open: 0, depth: 0, next: Next::Value };
    let end = walk.run();
    (walk.at, end)
}

/// The text of a JSON string, decoded; `None` if `text` is anything else.
///
/// A raw control character in it counts as written.
pub(super) fn string(text: &str) -> Option<String> {
    decoded(text).map(Cow::into_owned)
}

/// The same, without a copy where nothing is to be decoded.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim_ascii();
    let inner = text.strip_prefix('"')?;
    if let Some(plain) = inner.strip_suffix('"')
        && memchr::memchr2(b'"', b'\\', plain.as_bytes()).is_none()
    {
        return Some(Cow::Borrowed(plain));
    }
    match crate::reader::read(text, &crate::reader::ReadOptions::default()).ok()? {
        Reading { value: Value::String(string), liberties, .. }
            if liberties.iter().all(|taken| taken.liberty.id == "read.keep-raw-control") =>
        {
            Some(Cow::Owned(string))
        }
        _ => None,
    }
}

/// The members of the one JSON object that `text` is, each with the text of its value.
///
/// `None` if it is anything else, or gives one key twice.
pub(super) fn members(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let mut rest = text.trim_ascii().strip_prefix('{')?.trim_ascii_start();
    let mut found: Vec<(Cow<'_, str>, &str)> = Vec::new();
    while !rest.starts_with('}') {
        if !found.is_empty() {
            rest = rest.strip_prefix(',')?.trim_ascii_start();
        }
        let (key, after) = value(rest)?;
        let (member, after) = value(after.trim_ascii_start().strip_prefix(':')?)?;
        found.push((decoded(key)?, member));
        rest = after.trim_ascii_start();
    }
    (rest == "}" && are_distinct(&found)).then_some(found)
}

/// Members up to which each is held against each.
const FEW: usize = 8;

/// True if no key is given twice.
fn are_distinct(members: &[(Cow<'_, str>, &str)]) -> bool {
    if members.len() > FEW {
        let keys: BTreeSet<&str> = members.iter().map(|(key, _)| key.as_ref()).collect();
        return keys.len() == members.len();
    }
    let mut rest = members;
    while let Some(((key, _), behind)) = rest.split_first() {
        if behind.iter().any(|(other, _)| other == key) {
            return false;
        }
        rest = behind;
    }
    true
}

/// The texts of the items of the one JSON list that `text` is; `None` if it is anything else.
pub(super) fn items(text: &str) -> Option<Vec<&str>> {
    let mut rest = text.trim_ascii().strip_prefix('[')?.trim_ascii_start();
    let mut found = Vec::new();
    while !rest.starts_with(']') {
        if !found.is_empty() {
            rest = rest.strip_prefix(',')?;
        }
        let (item, after) = value(rest)?;
        found.push(item);
        rest = after.trim_ascii_start();
    }
    (rest == "]").then_some(found)
}

/// The JSON string that `text` begins with, decoded, and what follows it.
pub(super) fn split_string(text: &str) -> Option<(String, &str)> {
    let (text, after) = value(text)?;
    Some((string(text)?, after))
}

/// Splits `text` behind the JSON value it begins with.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let (length, how) = end(text);
    if how == End::Whole { text.split_at_checked(length) } else { None }
}

struct Walk<'t> {
    bytes: &'t [u8],
    at: usize,
    /// A bit for each open value, the innermost lowest: set for an object, not for a list.
    open: u64,
    /// How many are open, at most [`DEPTH_MAX`].
    depth: usize,
    next: Next,
}

impl Walk<'_> {
    fn run(&mut self) -> End {
        loop {
            while self.depth > 0 && self.byte().is_some_and(|b| b.is_ascii_whitespace()) {
                self.at += 1;
            }
            let Some(byte) = self.byte() else { return End::CutOff };
            if let Err(end) = self.step(byte) {
                return end;
            }
            if self.depth == 0 && self.next == Next::Separator {
                return End::Whole;
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self, byte: u8) -> Result<(), End> {
        match (self.next, byte) {
            (Next::Value | Next::FirstItem, b'{') => self.begin(true, Next::FirstKey),
            (Next::Value | Next::FirstItem, b'[') => self.begin(false, Next::FirstItem),
            (Next::FirstItem | Next::Separator, b']') => self.close(false),
            (Next::FirstKey | Next::Separator, b'}') => self.close(true),
            (Next::Value | Next::FirstItem, b'"') => self.string(Next::Separator),
            (Next::FirstKey | Next::Key, b'"') => self.string(Next::Colon),
            (Next::Value | Next::FirstItem, _) => self.scalar(),
            (Next::Colon, b':') => self.pass(Next::Value),
            (Next::Separator, b',') => {
                let next = if self.open & 1 == 1 { Next::Key } else { Next::Value };
                self.pass(next)
            }
            _ => Err(End::Broken),
        }
    }

    fn pass(&mut self, next: Next) -> Result<(), End> {
        self.at += 1;
        self.next = next;
        Ok(())
    }

    fn begin(&mut self, object: bool, next: Next) -> Result<(), End> {
        if self.depth >= DEPTH_MAX {
            return Err(End::Broken);
        }
        self.open = self.open << 1 | u64::from(object);
        self.depth += 1;
        self.pass(next)
    }

    fn close(&mut self, object: bool) -> Result<(), End> {
        if self.depth == 0 || (self.open & 1 == 1) != object {
            return Err(End::Broken);
        }
        self.open >>= 1;
        self.depth -= 1;
        self.pass(Next::Separator)
    }

    fn string(&mut self, next: Next) -> Result<(), End> {
        let mut at = self.at + 1;
        while let Some(found) =
            memchr::memchr2(b'"', b'\\', self.bytes.get(at..).unwrap_or_default())
        {
            at += found;
            if self.bytes.get(at) == Some(&b'"') {
                self.at = at;
                return self.pass(next);
            }
            at += 2;
        }
        self.at = self.bytes.len();
        Err(End::CutOff)
    }

    fn scalar(&mut self) -> Result<(), End> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest.iter().take_while(|byte| inside(byte)).count();
        if length == 0 {
            return Err(End::Broken);
        }
        self.at += length - 1;
        self.pass(Next::Separator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_should() {
        for (text, length, how) in [
            (r#"{"a": [1, {"b": "]}\""}], "c": null} tail"#, 36, End::Whole),
            (r#""a\\" b"#, 5, End::Whole),
            ("[1,2", 4, End::CutOff),
            ("{\"a\": \"raw\nline\"}", 17, End::Whole),
            (r#"{"a": 1 "b"}"#, 8, End::Broken),
            ("[TOOL", 5, End::CutOff),
            ("[}", 1, End::Broken),
            ("<x>", 0, End::Broken),
            ("[1,]", 3, End::Broken),
            ("[1}", 2, End::Broken),
            (" 1", 0, End::Broken),
        ] {
            assert_eq!(end(text), (length, how), "{text}");
        }
    }

    #[test]
    fn texts_and_members_are_what_is_written() {
        assert_eq!(string("\"a\n\\\"b\"").as_deref(), Some("a\n\"b"));
        assert_eq!(string(r#""a\qb""#), None);
        let object = |keys: &[usize]| {
            let members: Vec<_> = keys.iter().map(|key| format!("\"{key}\": 1")).collect();
            super::members(&format!("{{{}}}", members.join(", "))).map(|found| found.len())
        };
        assert_eq!(object(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), Some(9));
        assert_eq!(object(&[1, 2, 3, 4, 5, 6, 7, 8, 1]), None);
        assert_eq!(object(&[1, 2, 1]), None);
    }

    #[test]
    fn deep_brackets_break() {
        assert_eq!(end(&"[".repeat(100)), (DEPTH_MAX, End::Broken));
    }
}
