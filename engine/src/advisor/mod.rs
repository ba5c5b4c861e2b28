//! Tells what a provider's error means, and the model what it should know about it.
//!
//! [`classify`] finds the class of an error text by the rows of [`CLASSES`]. [`Advisor`] follows a
//! session's events and answers with [`Note`]s for the next request. Nothing is stored in the
//! session: a note stands behind the last message and is gone with the request.

mod body;
mod brackets;
mod class;
mod classes;
mod classify;
mod clean;
mod echo;
mod event;
mod evidence;
mod frame;
mod note;
mod pattern;
mod redact;
mod state;
#[doc(hidden)]
pub mod tables;
mod wait;

pub use class::{Class, Consequence, Rule, Signal};
pub use classes::CLASSES;
pub use classify::{Classified, Classifier, Details, classify};
pub use clean::clean;
pub use event::{
    AdvisorContext, Assistant, CompactReason, Ending, HostEvent, Message, Model, Usage,
};
pub use evidence::{END_BYTES_MAX, ErrorFacts};
pub use frame::{NOTE_PREFIX, QUOTE_CHARS_MAX, fenced, quotable};
pub use note::{Note, NoteKind, Warning};
pub use redact::{REDACTED, kinds as redaction_kinds, redact};
pub use state::Advisor;
pub use wait::Wait;

#[cfg(test)]
mod tests;
