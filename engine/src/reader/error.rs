//! What the reader refuses, and where the text stopped.

use std::{error::Error, fmt};

/// A text that has no reading, or more than one.
///
/// Carries nothing of the text but, for [`ReadErrorKind::DuplicateKey`], one key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReadError {
    /// Why there is no reading.
    pub kind: ReadErrorKind,
    /// Where in the text, in bytes from its start.
    pub at_byte: usize,
    /// Bytes looked at before giving up; never more than a small multiple of the text.
    pub steps: u64,
}

impl ReadError {
    pub(super) fn new(kind: ReadErrorKind, at_byte: usize) -> Self {
        Self { kind, at_byte, steps: 0 }
    }

    pub(super) fn broken(at_byte: usize) -> Self {
        Self::new(ReadErrorKind::Broken, at_byte)
    }

    pub(super) fn cut(stop: Stop, at_byte: usize) -> Self {
        Self::new(ReadErrorKind::CutOff(stop), at_byte)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.kind, self.at_byte)
    }
}

impl Error for ReadError {}

/// Why a text has no reading.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Nothing but white space.
    Empty,
    /// Plain text: no object, no array, and not one JSON scalar.
    NotJson,
    /// The text ends before its value does.
    CutOff(Stop),
    /// One object gives one key two different values.
    DuplicateKey {
        /// The key as read.
        key: String,
    },
    /// Half of a UTF-16 surrogate pair stands alone; no text can hold it.
    LoneSurrogate,
    /// Two complete values that differ.
    TwoValues,
    /// More containers inside each other than allowed.
    TooDeep {
        /// The limit, in levels.
        depth_max: u32,
    },
    /// A string whose backslashes could be escapes or themselves.
    AmbiguousEscape,
    /// It resembles JSON, but what it means is a guess.
    Broken,
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the text is empty"),
            Self::NotJson => f.write_str("the text is not JSON"),
            Self::CutOff(stop) => write!(f, "the text was cut off {stop}"),
            Self::DuplicateKey { key } => {
                write!(f, "the key `{}` is given two different values", key.escape_debug())
            }
            Self::LoneSurrogate => f.write_str("a \\u escape is half of a surrogate pair"),
            Self::TwoValues => f.write_str("the text holds two different values"),
            Self::TooDeep { depth_max } => {
                write!(f, "the text is nested deeper than {depth_max} levels")
            }
            Self::AmbiguousEscape => {
                f.write_str("a string mixes escapes with backslashes that may be meant literally")
            }
            Self::Broken => f.write_str("the text is not well-formed JSON"),
        }
    }
}

/// Where a cut text stopped; reads as the end of "the text was cut off …".
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Stop {
    /// After an opener or a comma, where another member or item was due.
    BetweenMembers,
    /// Inside a key.
    InKey,
    /// After a key, before its value.
    AfterKey,
    /// Inside a string value.
    InString,
    /// Inside a number, or right after a digit: more digits may have followed.
    InNumber,
    /// Inside `true`, `false`, `null` or a Python literal.
    InLiteral,
    /// Inside a comment.
    InComment,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BetweenMembers => "between two members",
            Self::InKey => "inside a key",
            Self::AfterKey => "after a key, before its value",
            Self::InString => "inside a string",
            Self::InNumber => "inside a number",
            Self::InLiteral => "inside a literal",
            Self::InComment => "inside a comment",
        })
    }
}
