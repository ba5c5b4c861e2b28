//! A text that is the inside of a JSON string: escaped once as a whole.

use super::{
    ReadError, ReadErrorKind, Reading, Stop,
    escape::{Class, Escape},
    finish, frame,
    liberties::read_over_escaped,
    quote::Kind,
    scan::Scanner,
};

/// Whether every double quote of a text is escaped, the first one right inside an object or array.
pub(super) fn is_inside_of_a_string(text: &str) -> bool {
    let trimmed = text.trim_ascii_start();
    if !trimmed.starts_with(['{', '[']) {
        return false;
    }
    let mut rest = trimmed;
    loop {
        rest = rest.trim_start_matches(|letter: char| {
            letter.is_ascii_whitespace() || matches!(letter, '{' | '[')
        });
        let blank = [r"\n", r"\t", r"\r"].iter().find_map(|blank| rest.strip_prefix(blank));
        match blank {
            Some(after) => rest = after,
            None => return rest.starts_with(r#"\""#) && !has_bare_quote(rest),
        }
    }
}

fn has_bare_quote(text: &str) -> bool {
    let mut letters = text.bytes();
    while let Some(letter) = letters.next() {
        match letter {
            b'"' => return true,
            b'\\' => {
                letters.next();
            }
            _ => {}
        }
    }
    false
}

/// Takes one level of escapes off and reads what that gives.
pub(super) fn read(text: &str, depth_max: u32) -> Result<Reading, ReadError> {
    let (inner, end) = unescape(text);
    let mut scanner = Scanner::new(&inner);
    scanner.unescaped = true;
    scanner.spend(text.len().saturating_mul(2));
    scanner.taken.take(&read_over_escaped::LIBERTY, 0);
    let value = frame::read(&mut scanner, depth_max);
    let value = match (value, end) {
        (value, End::Whole) => value,
        (Err(error), End::Cut) => Err(error),
        (Ok(_), End::Cut) => Err(ReadError::cut(Stop::BetweenMembers, inner.len())),
        (_, End::Broken(kind)) => Err(ReadError::new(kind, inner.len())),
    };
    let outer = |at| outer_offset(text, at);
    match finish(scanner, value) {
        Ok(mut reading) => {
            for used in &mut reading.liberties {
                used.at_byte = outer(used.at_byte);
            }
            reading.inexact = reading.inexact.map(outer);
            Ok(reading)
        }
        Err(error) => Err(ReadError { at_byte: outer(error.at_byte), ..error }),
    }
}

/// How an escaped text ends.
enum End {
    Whole,
    /// In the middle of an escape.
    Cut,
    /// At an escape that is none.
    Broken(ReadErrorKind),
}

/// Takes one level of escapes off as far as that is possible.
fn unescape(text: &str) -> (String, End) {
    let mut letters = Letters { text, at: 0 };
    let inner: String = letters.by_ref().map(|(_, letter)| letter).collect();
    let rest = letters.rest();
    let end = if rest.is_empty() {
        End::Whole
    } else if Escape::at(rest.as_bytes(), Kind::Standard).class == Class::Meant {
        End::Broken(ReadErrorKind::LoneSurrogate)
    } else if rest == "\\" || (rest.starts_with("\\u") && rest.len() < 6) {
        End::Cut
    } else {
        End::Broken(ReadErrorKind::Broken)
    };
    (inner, end)
}

/// Where the byte `at` of the unescaped text came from.
fn outer_offset(text: &str, at: usize) -> usize {
    let mut length = 0;
    let source = Letters { text, at: 0 }.find(|(_, letter)| {
        length += letter.len_utf8();
        length > at
    });
    source.map_or(text.len(), |(from, _)| from)
}

/// The letters of a text without one level of escapes, each with its place; ends at an escape that
/// is none.
struct Letters<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Letters<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

impl Iterator for Letters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.at;
        let first = self.rest().chars().next()?;
        if first != '\\' {
            self.at += first.len_utf8();
            return Some((from, first));
        }
        let escape = Escape::at(self.rest().as_bytes(), Kind::Standard);
        let letter = escape.decoded?;
        self.at += escape.bytes;
        Some((from, letter))
    }
}
