//! Refusals: why arguments were not repaired, in words the model can act on.

use std::fmt::{self, Write as _};
use std::io;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use crate::depth::is_deeper_than;
use crate::reader::{ReadErrorKind, Stop};
use crate::schema::{Node, Schema};
use crate::{Limits, Pointer, sketch};

/// Why arguments were refused.
///
/// Every variant is a row of [`REASONS`].
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The text or the answer was cut off.
    CutOff(Option<Stop>),
    /// The text looks like JSON but cannot be read.
    Unreadable,
    /// An escape in a string has two plausible meanings.
    AmbiguousEscape,
    /// Two different values stand one after the other.
    TwoValues,
    /// One key has two different values.
    DuplicateKey(String),
    /// Half of a surrogate pair stands alone.
    LoneSurrogate,
    /// A number that neither a 64-bit integer nor a double holds exactly.
    InexactNumber,
    /// Containers nest too deep.
    TooDeep(u32),
    /// A limit was reached.
    OverLimit(&'static str),
    /// Several names of one field are present with different values.
    ConflictingAliases(Pointer),
    /// A field stands under another name beside a field the tool does not have.
    ForeignField(Pointer),
    /// Flat fields cannot be folded without overwriting or dropping something.
    FoldConflict(Pointer),
    /// The wrapper holds more than the call.
    AmbiguousEnvelope(Pointer),
    /// More than one branch of a union would accept a repair.
    AmbiguousUnion(Pointer),
    /// A bare text that is not plainly the tool's one text field.
    NotPlain,
    /// A list was expected and the text may hold several items.
    AmbiguousList(Pointer),
    /// The path holds control characters that cannot be turned back.
    DamagedPath(Pointer),
    /// The host would run the call with an invented or shortened value.
    LossyConversion,
    /// The policy withheld the repair.
    Withheld,
    /// No such tool.
    UnknownTool,
    /// The arguments do not fit the schema, and no rule applies.
    Misfit,
}

/// One row a reason: its id in records, and the sentence the model reads.
pub const REASONS: &[(&str, &str)] = &[
    ("cut-off", "the arguments were cut off"),
    ("unreadable", "the arguments look like JSON but cannot be read"),
    (
        "ambiguous-escape",
        "a backslash in a text has two possible meanings; write every backslash as two",
    ),
    ("two-values", "two different values were sent where one belongs; send one call for each"),
    ("duplicate-key", "a field was sent twice with different values; send it once"),
    ("lone-surrogate", "a text holds half of a surrogate pair; send the whole character"),
    (
        "inexact-number",
        "a number has more digits than can be kept; send it shorter, or as text where text is accepted",
    ),
    ("too-deep", "the arguments nest too deep"),
    ("over-limit", "repairing the arguments would take more than the limit"),
    (
        "conflicting-aliases",
        "one field was sent under several names with different values; send it once, under its own name",
    ),
    (
        "foreign-field",
        "a field was sent under another name, together with a field this tool does not have; use the tool's own fields",
    ),
    (
        "fold-conflict",
        "flat fields cannot be moved into the list without losing something; send the list itself",
    ),
    (
        "ambiguous-envelope",
        "the arguments are wrapped together with other fields; send the arguments themselves",
    ),
    ("ambiguous-union", "the value could be repaired in more than one way"),
    ("not-plain", "a bare text was sent where an object belongs"),
    (
        "ambiguous-list",
        "a text was sent where a list belongs, and it may hold several items; send the list",
    ),
    ("damaged-path", "a path holds control characters; write every backslash as two"),
    ("lossy-conversion", "a value has the wrong type, and converting it would change what it says"),
    ("withheld", "the configured policy does not permit the repair"),
    ("unknown-tool", "there is no tool of this name"),
    ("misfit", "the arguments do not fit the tool's schema"),
];

impl Reason {
    /// The row's number in [`REASONS`].
    fn row(&self) -> usize {
        match self {
            Self::CutOff(_) => 0,
            Self::Unreadable => 1,
            Self::AmbiguousEscape => 2,
            Self::TwoValues => 3,
            Self::DuplicateKey(_) => 4,
            Self::LoneSurrogate => 5,
            Self::InexactNumber => 6,
            Self::TooDeep(_) => 7,
            Self::OverLimit(_) => 8,
            Self::ConflictingAliases(_) => 9,
            Self::ForeignField(_) => 10,
            Self::FoldConflict(_) => 11,
            Self::AmbiguousEnvelope(_) => 12,
            Self::AmbiguousUnion(_) => 13,
            Self::NotPlain => 14,
            Self::AmbiguousList(_) => 15,
            Self::DamagedPath(_) => 16,
            Self::LossyConversion => 17,
            Self::Withheld => 18,
            Self::UnknownTool => 19,
            Self::Misfit => 20,
        }
    }

    /// The id in records and tables, such as `cut-off`.
    pub fn id(&self) -> &'static str {
        REASONS.get(self.row()).map_or("misfit", |row| row.0)
    }

    /// The reason that a text which cannot be read gives.
    pub(crate) fn from_read(kind: ReadErrorKind) -> Self {
        match kind {
            ReadErrorKind::CutOff(stop) => Self::CutOff(Some(stop)),
            ReadErrorKind::DuplicateKey { key } => Self::DuplicateKey(key),
            ReadErrorKind::LoneSurrogate => Self::LoneSurrogate,
            ReadErrorKind::TwoValues => Self::TwoValues,
            ReadErrorKind::TooDeep { depth_max } => Self::TooDeep(depth_max),
            ReadErrorKind::AmbiguousEscape => Self::AmbiguousEscape,
            _ => Self::Unreadable,
        }
    }

    /// The place the reason is about, where it has one.
    pub fn pointer(&self) -> Option<&Pointer> {
        match self {
            Self::ConflictingAliases(at)
            | Self::ForeignField(at)
            | Self::FoldConflict(at)
            | Self::AmbiguousEnvelope(at)
            | Self::AmbiguousUnion(at)
            | Self::AmbiguousList(at)
            | Self::DamagedPath(at) => Some(at),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(REASONS.get(self.row()).map_or("", |row| row.1))?;
        match self {
            Self::CutOff(Some(stop)) => {
                write!(out, ": the text stopped {stop}; send the whole call again")
            }
            Self::CutOff(None) => out.write_str("; send the whole call again"),
            Self::DuplicateKey(key) => write!(out, " (`{}`)", clip(key, 80)),
            Self::TooDeep(most) => write!(out, " (the limit is {most} levels)"),
            Self::OverLimit(name) => write!(out, " `{name}`"),
            _ => match self.pointer() {
                Some(at) => write!(out, " (`{}`)", clip(&at.readable(), 80)),
                None => Ok(()),
            },
        }
    }
}

/// Arguments that were not repaired.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The tool as the call named it.
    pub tool: String,
    /// Why.
    pub reason: Reason,
    /// The first misfits, at most [`ISSUES_MAX`].
    pub issues: Vec<Issue>,
    /// A compact sketch of the expected arguments.
    pub expected: String,
    /// The first characters of what came, for the model only.
    pub preview: String,
    /// FNV-1a over tool and failure shape; never over a value.
    pub fingerprint: u64,
}

/// The most misfits a refusal lists.
pub const ISSUES_MAX: usize = 6;

/// The most characters a refusal quotes of what came.
pub const PREVIEW_CHARS_MAX: usize = 240;

/// One misfit: where, what was expected, what came.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Issue {
    /// The place.
    pub pointer: Pointer,
    /// The schema keyword, such as `type`.
    pub keyword: String,
    /// What was expected, in words.
    pub expected: String,
    /// The type that came.
    pub got: &'static str,
}

impl Refusal {
    /// The text for the model: reason, misfits, expected shape and a bounded preview.
    pub fn message(&self) -> String {
        let mut text = format!("Call to `{}` was not run: {}.", clip(&self.tool, 80), self.reason);
        for issue in &self.issues {
            let place = issue.pointer.readable();
            let place = clip(&place, 120);
            let _ = write!(text, "\n- `{place}`: expected {}, got {}", issue.expected, issue.got);
        }
        if !self.expected.is_empty() {
            let _ = write!(text, "\nExpected: {}", self.expected);
        }
        if !self.preview.is_empty() {
            let _ = write!(text, "\nReceived: {}", self.preview);
        }
        text
    }
}

/// The first misfits of `value`.
pub(crate) fn issues(schema: &Schema, value: &Value) -> Vec<Issue> {
    schema
        .validator()
        .iter_errors(value)
        .take(ISSUES_MAX)
        .map(|error| {
            let pointer = Pointer::from_escaped(error.instance_path().as_str());
            let node = schema.root().walk(&pointer, value);
            Issue {
                expected: expected(&error, &node),
                keyword: error.kind().keyword().to_owned(),
                got: type_name(error.instance()),
                pointer,
            }
        })
        .collect()
}

/// What an error says was expected, without quoting the arguments.
fn expected(error: &ValidationError<'_>, node: &Node<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            format!("a member `{}`", property.as_str().unwrap_or_default())
        }
        ValidationErrorKind::Type { kind: TypeKind::Single(_) | TypeKind::Multiple(_) } => {
            node.types().describe()
        }
        ValidationErrorKind::Enum { options } => {
            let members = options.as_array().map_or(&[][..], Vec::as_slice);
            let shown: Vec<String> = members.iter().take(12).map(Value::to_string).collect();
            format!("one of {}", clip(&shown.join(", "), 300))
        }
        ValidationErrorKind::Constant { expected_value } => {
            clip(&expected_value.to_string(), 80).to_owned()
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names: Vec<&str> = unexpected.iter().take(6).map(String::as_str).collect();
            format!("no member `{}`", clip(&names.join("`, `"), 200))
        }
        ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
            format!("one of the declared forms ({})", node.types().describe())
        }
        kind => format!("a value that meets `{}`", kind.keyword()),
    }
}

/// The JSON type of a value, with its article left out.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Builds the refusal of `value`, with the misfits of `reached`, what repair had made of it.
pub(crate) fn refuse_value(
    tool: &str,
    schema: &Schema,
    (value, reached): (&Value, &Value),
    reason: Reason,
) -> Refusal {
    if matches!(reason, Reason::TooDeep(_)) {
        return build(tool, schema, reason, Vec::new(), String::new());
    }
    build(tool, schema, reason, issues(schema, reached), preview_value(value))
}

/// The first characters of a value's JSON; no more of it is written than is shown.
fn preview_value(value: &Value) -> String {
    // INVARIANT: writing recurses; 256 levels are the most that any limit permits.
    if is_deeper_than(value, Limits::MOST.depth_max as usize) {
        return String::new();
    }
    let mut head = Head(Vec::new());
    let _ = serde_json::to_writer(&mut head, value);
    preview(&String::from_utf8_lossy(&head.0))
}

/// A writer that ends the writing once there is enough for a preview.
struct Head(Vec<u8>);

impl io::Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = (PREVIEW_CHARS_MAX * 4 + 4).saturating_sub(self.0.len());
        if room == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.0.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Builds the refusal of a text that could not be read.
pub(crate) fn refuse_text(tool: &str, schema: &Schema, text: &str, reason: Reason) -> Refusal {
    build(tool, schema, reason, Vec::new(), preview(text))
}

fn build(
    tool: &str,
    schema: &Schema,
    reason: Reason,
    issues: Vec<Issue>,
    preview: String,
) -> Refusal {
    let fingerprint = fingerprint(tool, &reason, &issues, schema);
    let expected = sketch::sketch(&schema.root());
    Refusal { tool: tool.to_owned(), reason, issues, expected, preview, fingerprint }
}

/// FNV-1a (64 bit) over tool, reason and misfits; a key the schema does not declare counts as `*`.
fn fingerprint(tool: &str, reason: &Reason, issues: &[Issue], schema: &Schema) -> u64 {
    let mut shape = format!("{tool}\u{0}{}", reason.id());
    for issue in issues {
        let place = redacted(&schema.root(), &issue.pointer);
        let _ = write!(shape, "\u{0}{place}\u{0}{}\u{0}{}", issue.keyword, issue.got);
    }
    shape.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The pointer with every segment that the schema does not declare written as `*`.
pub(crate) fn redacted(root: &Node<'_>, pointer: &Pointer) -> String {
    let mut node = root.clone();
    let mut text = String::new();
    for segment in pointer.segments() {
        if node.properties().any(|name| name == segment) {
            node = node.property(&segment);
            text.push_str(Pointer::root().child(&segment).as_str());
        } else {
            node = if node.types().array() { node.item(0) } else { node.property(&segment) };
            text.push_str("/*");
        }
    }
    text
}

/// The first characters of `text` on one line, with a mark where it was cut.
fn preview(text: &str) -> String {
    let cut = clip(text, PREVIEW_CHARS_MAX);
    let mut shown: String =
        cut.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    if cut.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The first `chars_max` characters of `text`.
pub(crate) fn clip(text: &str, chars_max: usize) -> &str {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests;
