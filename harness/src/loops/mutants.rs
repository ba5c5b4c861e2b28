//! Planted bugs: parts of the engine altered through their seams, to be noticed from the loop alone.

use std::sync::atomic::{AtomicU32, Ordering};

use engine::advisor::tables::AdvisorTables;
use engine::grammar::tables::GrammarTables;
use engine::lifecycle::{self, Feedback, Note};
use engine::tables::Tables;
use serde_json::Value;

/// What is altered.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Alters how arguments are repaired.
    pub tools: fn(&mut Tables),
    /// Alters how notes reach results.
    pub lifecycle: fn(&mut lifecycle::tables::Tables),
    /// Alters advice.
    pub advisor: fn(&mut AdvisorTables),
    /// Alters what is found in text.
    pub grammar: fn(&mut GrammarTables),
}

impl Plant {
    /// Nothing altered.
    pub const NONE: Self =
        Self { tools: |_| {}, lifecycle: |_| {}, advisor: |_| {}, grammar: |_| {} };
}

/// A planted bug of this area.
pub type Mutant = crate::area::Mutant<Plant>;

const fn mutant(name: &'static str, says: &'static str, plant: Plant) -> Mutant {
    Mutant { name, says, plant }
}

/// Every planted bug.
pub const MUTANTS: &[Mutant] = &[
    mutant(
        "advice-outlives-success",
        "a failure is spoken of whatever came after it",
        Plant { advisor: |tables| tables.ends_scan = |_| false, ..Plant::NONE },
    ),
    mutant(
        "notes-say-it-twice",
        "every note stands twice in its result",
        Plant { lifecycle: |tables| tables.render = twice, ..Plant::NONE },
    ),
    mutant(
        "panics-over-a-note",
        "wording a note panics",
        Plant { lifecycle: |tables| tables.render = panics, ..Plant::NONE },
    ),
    mutant(
        "refuses-every-other-call",
        "a repair is permitted every other time",
        Plant { tools: |tables| tables.permits = every_other, ..Plant::NONE },
    ),
    mutant(
        "repairs-add-a-letter",
        "texts of repaired arguments grow by a letter",
        Plant { tools: |tables| tables.finish = add_a_letter, ..Plant::NONE },
    ),
    mutant(
        "valid-calls-are-refused",
        "no arguments pass",
        Plant { tools: refuse_everything, ..Plant::NONE },
    ),
];

fn twice(feedback: &Feedback) -> Note {
    let mut note = feedback.note();
    note.text = format!("{0}\n{0}", note.text);
    note
}

#[expect(clippy::panic, reason = "the planted bug is a panic")]
fn panics(_: &Feedback) -> Note {
    panic!("a planted panic")
}

fn every_other(policy: engine::Policy, grade: engine::Grade) -> bool {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) && policy.permits(grade)
}

fn refuse_everything(tables: &mut Tables) {
    tables.accept_early = false;
    tables.accepts = |_, _| false;
}

fn add_a_letter(mut args: Value) -> Value {
    for field in args.as_object_mut().into_iter().flat_map(|map| map.values_mut()) {
        if let Value::String(text) = field {
            text.push('x');
        }
    }
    args
}
