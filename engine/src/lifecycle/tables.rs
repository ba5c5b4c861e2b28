//! The seam through which a harness plants a bug in a lifecycle.

use super::{Bounds, Feedback, Note};

/// The steps of one lifecycle. The default is the engine; anything else is a planted bug.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one step that can be left out")]
pub struct Tables {
    /// Caps and ages.
    pub bounds: Bounds,
    /// Matches by the id of the start before a preparation; off, by equal arguments alone.
    pub by_id: bool,
    /// A preparation that changed nothing keeps its place among equal ones.
    pub queue_valid: bool,
    /// Calls that another tool made get no note.
    pub silent_when_nested: bool,
    /// Calls that are open under one id at the same time get no note.
    pub silent_when_shared: bool,
    /// A note is given out once.
    pub once: bool,
    /// A call that ended without a result is forgotten.
    pub forget_ended: bool,
    /// The end of a run, and a shutdown, forget everything.
    pub clear: bool,
    /// Tells whether an age is over its limit.
    pub expired: fn(u64, u64) -> bool,
    /// Words the note.
    pub render: fn(&Feedback) -> Note,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            bounds: Bounds::DEFAULT,
            by_id: true,
            queue_valid: true,
            silent_when_nested: true,
            silent_when_shared: true,
            once: true,
            forget_ended: true,
            clear: true,
            expired: |age, most| age > most,
            render: Feedback::note,
        }
    }
}
