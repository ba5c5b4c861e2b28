//! The one seam through which a harness alters the advisor: every table and step it runs on.

use std::sync::Arc;

use super::class::Class;
use super::classes::CLASSES;
use super::classify::{CLASSIFIER, Classifier};
use super::event::{Assistant, Ending};
use super::frame::{QUOTE_CHARS_MAX, quotable};

/// The tables and steps of an advisor. The default is the engine; anything else is a planted bug.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own for a planted bug")]
pub struct AdvisorTables {
    /// Finds the class of an error text.
    pub classifier: Arc<Classifier>,
    /// Makes a foreign text safe to quote, in at most so many characters.
    pub quote: fn(&str, usize) -> String,
    /// Characters of foreign text in a note.
    pub quote_chars_max: usize,
    /// Age from which on a failure is not worth a note, in milliseconds.
    pub stale_ms: u64,
    /// Failed attempts from which on their number is told.
    pub attempts_from: u32,
    /// Notes to one request.
    pub notes_max: usize,
    /// Whether the scan for a failure stops at a message that ended so.
    pub ends_scan: fn(Ending) -> bool,
    /// Whether an answer that was cut for length means that the context is full.
    pub is_full: fn(&Assistant) -> bool,
    /// Whether a note that was given is spent.
    pub one_shot: bool,
    /// Whether an abort silences what came before it.
    pub abort_silences: bool,
    /// Whether another model softens the advice.
    pub switch_softens: bool,
    /// Whether a second report of one failed compaction is passed over.
    pub failure_once: bool,
    /// Whether a compaction that is not for an overflow is passed over.
    pub only_overflow: bool,
}

impl AdvisorTables {
    /// The engine's tables with other classes, or the same in another order.
    #[must_use]
    pub fn with_classes(self, classes: &[Class]) -> Self {
        Self { classifier: Arc::new(Classifier::new(classes)), ..self }
    }

    /// The engine's classes, in order.
    pub fn classes() -> Vec<Class> {
        CLASSES.to_vec()
    }
}

impl Default for AdvisorTables {
    fn default() -> Self {
        Self {
            classifier: Arc::clone(&CLASSIFIER),
            quote: quotable,
            quote_chars_max: QUOTE_CHARS_MAX,
            stale_ms: 15 * 60 * 1000,
            attempts_from: 2,
            notes_max: 2,
            ends_scan: |ending| ending != Ending::Error,
            is_full,
            one_shot: true,
            abort_silences: true,
            switch_softens: true,
            failure_once: true,
            only_overflow: true,
        }
    }
}

/// An answer cut before its first token means a full context; one cut later is only long. Where the
/// window is known it must be nearly full as well.
fn is_full(message: &Assistant) -> bool {
    message.ending == Ending::Length
        && message.usage.is_some_and(|usage| {
            usage.output == 0
                && (usage.window == 0
                    || usage.input.saturating_mul(100) >= usage.window.saturating_mul(99))
        })
}
