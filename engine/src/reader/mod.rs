//! Reads JSON the way models write it: one pass, no recursion, and never a guess.

mod error;
mod escape;
mod frame;
pub mod liberties;
mod number;
mod over_escaped;
mod parse;
mod prose;
mod quote;
mod scan;

pub use error::{ReadError, ReadErrorKind, Stop};
pub use liberties::{LIBERTIES, Liberty, LibertyUse};
use scan::Scanner;
use serde_json::Value;

/// Deepest nesting that [`ReadOptions::depth_max`] can ask for, in levels; comparing and dropping a
/// [`Value`] recurses.
pub const DEPTH_MOST: u32 = 512;

/// How to read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReadOptions {
    /// Containers inside each other, in levels; at most [`DEPTH_MOST`]. A deeper text is refused
    /// before anything deeper is built.
    pub depth_max: u32,
    /// The text stood inside another one, so a level of escapes may be lost: `\b`, `\f` and
    /// separators behind a drive are then no proof of care.
    pub nested: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth_max: 128, nested: false }
    }
}

/// The only meaning a text has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The value read; key order as in the text.
    pub value: Value,
    /// The liberties taken, in the order of [`LIBERTIES`]; empty if the text was strict JSON
    /// (RFC 8259, every key once).
    pub liberties: Vec<LibertyUse>,
    /// The first number, in bytes from the start of the text, that neither a 64-bit integer nor a
    /// double holds exactly. `value` has the nearest double instead.
    pub inexact: Option<usize>,
    /// Bytes looked at; never more than a small multiple of the text.
    pub steps: u64,
}

/// Reads the one value a text holds.
///
/// Strict JSON is read as `serde_json` reads it. Anything else is read only by a row of
/// [`LIBERTIES`], and only if no other meaning is plausible. A string, number, literal, key or
/// comment that was cut off is never completed. Costs time linear in the text and no stack.
///
/// # Errors
///
/// [`ReadError`] says why the text has no single meaning, and for a cut text where it stopped.
///
/// # Examples
///
/// ```
/// use engine::reader::{ReadErrorKind, ReadOptions, Stop, read};
///
/// let reading = read("{'wrap': True,}", &ReadOptions::default())?;
/// assert_eq!(reading.value, serde_json::json!({"wrap": true}));
/// assert_eq!(reading.liberties.len(), 3);
///
/// let cut = read(r#"{"command":"rm -r"#, &ReadOptions::default()).unwrap_err();
/// assert_eq!(cut.kind, ReadErrorKind::CutOff(Stop::InString));
/// # Ok::<(), engine::reader::ReadError>(())
/// ```
pub fn read(text: &str, options: &ReadOptions) -> Result<Reading, ReadError> {
    let depth_max = options.depth_max.min(DEPTH_MOST);
    if over_escaped::is_inside_of_a_string(text) {
        return over_escaped::read(text, depth_max);
    }
    let mut scanner = Scanner::new(text);
    scanner.nested = options.nested;
    let mut value = frame::read(&mut scanner, depth_max);
    // Where some quotes are escaped once too often, other backslashes may be as well.
    if let Some(at) = scanner.escaped_at
        && value.is_ok()
        && scanner.taken.includes(&liberties::read_over_escaped::LIBERTY)
    {
        value = Err(ReadError::new(ReadErrorKind::AmbiguousEscape, at));
    }
    finish(scanner, value)
}

/// Puts together what a scanner gathered and the value, or the error, it ended with.
fn finish(scanner: Scanner<'_>, value: Result<Value, ReadError>) -> Result<Reading, ReadError> {
    let Scanner { steps, inexact, taken, .. } = scanner;
    match value {
        Ok(value) => Ok(Reading { value, liberties: taken.into_uses(), inexact, steps }),
        Err(error) => Err(ReadError { steps, ..error }),
    }
}

#[cfg(test)]
mod tests;
