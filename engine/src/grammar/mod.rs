//! Calls that a model printed as text: found, removed, and promoted only where everything proves them.
//!
//! Each way of printing is one row of [`FAMILIES`] and one file. A family knows its syntax and
//! nothing of markdown, tools' schemas, policy or hosts: it is shown a place where one of its
//! openers stands and says what the block there consists of.

mod between;
mod call_object;
mod cited;
mod config;
mod conversation;
mod cursor;
mod families;
mod gates;
mod gemma;
mod intent;
mod intent_starts;
mod intent_words;
mod json;
mod markdown;
mod promote;
mod python;
mod reading;
mod scanner;
mod seam;
mod sighting;
mod standing;
mod stops;
#[doc(hidden)]
pub mod tables;
mod tags;
mod telling;
mod treat;
mod typed;
mod words;

#[cfg(test)]
mod tests;

pub use config::{Grammar, GrammarConfig, MODES, Mode, UNKNOWN_TOOLS, UnknownTools};
pub use cursor::{Cursor, Page};
pub use families::FAMILIES;
pub use gates::{Attempt, CALLS_MAX, GATES, PromotionGate};
pub use json::JsonEnd;
pub use markdown::protect;
pub use promote::Promoted;
pub use scanner::{Found, Leak, Scan, Scanner, scan};
pub use seam::{SEAMS, remove};
pub use treat::{Action, Handled, Message, State, Treatment, treat};
pub use typed::{Typed, type_fields};

use serde_json::{Map, Value};

/// One way in which models print calls as text.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name in records and on the command line; also the file's stem.
    pub id: &'static str,
    /// What the format looks like, and which parts of it are syntax and which are data.
    pub says: &'static str,
    /// Who emits it.
    pub models: &'static [&'static str],
    /// Model families (as [`crate::Gate::model_families`]) without which nothing is promoted; empty
    /// means any model. Needed where the opener is something that people write, too.
    pub gate: &'static [&'static str],
    /// True for a format without a marker of its own: a block counts only if it is the message. `scan`
    /// is tried at the first character that is no white space, and a block must reach the last one.
    pub whole_message: bool,
    /// Texts at which [`Family::scan`] is tried: exact, case-sensitive, none the beginning of prose;
    /// where the block must be the whole message, what such a message begins with.
    pub openers: &'static [&'static str],
    /// Markers that have no meaning outside a block; standing alone they are removed.
    pub closers: &'static [&'static str],
    /// Words that the family's models are known to print right before the opener, alone on a line.
    pub stray_words: &'static [&'static str],
    /// The canonical spelling first, then every damaged one that is accepted, each with its proof.
    pub spellings: &'static [Spelling],
    /// Reads the block at the cursor, which stands at one of the openers.
    ///
    /// `None` if this is no block of the family: only after looking at a bounded piece of the text
    /// (a tag, a line). Otherwise the block owns everything that was looked at, or else its work
    /// would be done again at the next opener.
    pub scan: fn(Cursor<'_, '_>) -> Option<Block>,
    /// Prints calls in the spelling of this name.
    ///
    /// `None` if the spelling cannot carry these calls: the format has no escape for what a value
    /// holds, or no place for several calls.
    pub render: fn(&[Printed<'_>], &str) -> Option<String>,
    /// Texts with what must be read from them; they run as tests.
    pub examples: &'static [Example],
}

/// How a family's blocks are spelled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spelling {
    /// The spelling's name, `canonical` for the first of each family.
    pub id: &'static str,
    /// What it looks like.
    pub says: &'static str,
    /// For a damaged spelling, why there is no doubt about what was meant; empty for canonical ones.
    pub proof: &'static str,
}

/// A text with the block that stands in it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The text; the block begins at its first opener.
    pub text: &'static str,
    /// The spelling that is recognised.
    pub spelling: &'static str,
    /// The calls, as a JSON list of `{"name", "arguments"}` where every untyped field is text;
    /// `damaged` or `cut off` where nothing may run.
    pub calls: &'static str,
}

/// A call to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a Map<String, Value>,
}

/// What stands in the text at an opener.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The byte behind the block.
    pub end: usize,
    /// Whether it is whole.
    pub state: BlockState,
    /// The name of the spelling.
    pub spelling: &'static str,
    /// The calls of a whole block, in order.
    pub calls: Vec<LeakedCall>,
    /// The names that were read in a block that is not whole, so that it can be told whether the
    /// call was meant for a known tool.
    pub named: Vec<String>,
}

impl Block {
    /// A whole block.
    pub fn whole(end: usize, spelling: &'static str, calls: Vec<LeakedCall>) -> Self {
        Self { end, state: BlockState::Whole, spelling, calls, named: Vec::new() }
    }

    /// True for a whole block.
    pub fn is_whole(&self) -> bool {
        self.state == BlockState::Whole
    }

    /// A block that is not whole, with the names read in it.
    pub fn broken(end: usize, state: BlockState, named: Vec<String>) -> Self {
        Self { end, state, spelling: "", calls: Vec::new(), named }
    }
}

/// Whether a block is whole.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BlockState {
    /// From opener to closer, in a spelling the family lists.
    Whole,
    /// Something does not belong; the text says what. It never runs.
    Damaged(&'static str),
    /// The text ends inside it. It never runs.
    CutOff,
}

/// A call as a block spells it.
#[derive(Clone, Debug, PartialEq)]
pub struct LeakedCall {
    /// The name as written, apart from what the family documents as decoration.
    pub name: String,
    /// The arguments.
    pub arguments: Arguments,
}

/// Arguments as a block spells them.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// JSON text.
    Json(String),
    /// Named values; each is typed by the tool's schema, or stays text.
    Fields(Vec<Field>),
    /// Values that the format itself types.
    Value(Map<String, Value>),
}

/// A named value of a format that does not quote.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The value's text, exactly as it stands between the markers that the family documents.
    pub text: String,
    /// What the format says about the value's type.
    pub kind: FieldKind,
}

/// What a format says about a value's type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FieldKind {
    /// It is text, whatever it looks like.
    Text,
    /// It is JSON.
    Json,
    /// Nothing: the schema decides, and text is text where the schema allows it.
    Untyped,
}
