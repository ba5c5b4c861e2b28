//! Planted bugs: lifecycle, telemetry and settings altered through their seams.
//!
//! The ordinary campaign must find and shrink each; see [`crate::area::Invariant::kills`].

use std::sync::atomic::{AtomicU32, Ordering};

use engine::lifecycle::{self, Feedback, NOTE_CLOSE, Note};
use engine::{Tool, settings, tables, telemetry};

/// What is altered.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Alters the lifecycle.
    pub lifecycle: fn(&mut lifecycle::tables::Tables),
    /// Alters records, logs and counts.
    pub telemetry: fn(&mut telemetry::tables::Tables),
    /// Alters how settings are read and saved.
    pub settings: fn(&mut settings::tables::Tables),
    /// Alters how arguments are repaired.
    pub tools: fn(&mut tables::Tables),
}

impl Plant {
    /// Nothing altered.
    pub const NONE: Self =
        Self { lifecycle: |_| {}, telemetry: |_| {}, settings: |_| {}, tools: |_| {} };

    const fn lifecycle(lifecycle: fn(&mut lifecycle::tables::Tables)) -> Self {
        Self { lifecycle, ..Self::NONE }
    }

    const fn telemetry(telemetry: fn(&mut telemetry::tables::Tables)) -> Self {
        Self { telemetry, ..Self::NONE }
    }

    const fn settings(settings: fn(&mut settings::tables::Tables)) -> Self {
        Self { settings, ..Self::NONE }
    }
}

/// A planted bug of this area.
pub type Mutant = crate::area::Mutant<Plant>;

const fn mutant(name: &'static str, says: &'static str, plant: Plant) -> Mutant {
    Mutant { name, says, plant }
}

/// Every planted bug.
pub const MUTANTS: &[Mutant] = &[
    mutant(
        "calls-that-ended-stay",
        "a call that ended without a result is kept",
        Plant::lifecycle(|tables| tables.forget_ended = false),
    ),
    mutant(
        "ends-forget-nothing",
        "the end of a run forgets nothing",
        Plant::lifecycle(|tables| tables.clear = false),
    ),
    mutant(
        "expires-at-once",
        "everything is too old after some hundredths of a second",
        Plant::lifecycle(|tables| tables.expired = |age, _| age > 30),
    ),
    mutant(
        "expires-never",
        "nothing is ever too old",
        Plant::lifecycle(|tables| tables.expired = |_, _| false),
    ),
    mutant(
        "matches-by-arguments-alone",
        "the id of a start is not used",
        Plant::lifecycle(|tables| tables.by_id = false),
    ),
    mutant(
        "nested-calls-are-noted",
        "calls by other tools get notes",
        Plant::lifecycle(|tables| tables.silent_when_nested = false),
    ),
    mutant(
        "no-cap-on-calls",
        "any number of calls is held",
        Plant::lifecycle(|tables| tables.bounds.bound_max = usize::MAX),
    ),
    mutant(
        "no-cap-on-preparations",
        "any number of preparations is held",
        Plant::lifecycle(|tables| tables.bounds.pending_max = usize::MAX),
    ),
    mutant(
        "notes-again",
        "a note is given out with every result of its call",
        Plant::lifecycle(|tables| tables.once = false),
    ),
    mutant(
        "notes-change-with-time",
        "every other note has a line more",
        Plant::lifecycle(|tables| tables.render = every_other_time),
    ),
    mutant(
        "notes-close-twice",
        "a note has a second end",
        Plant::lifecycle(|tables| tables.render = closed_twice),
    ),
    mutant(
        "notes-quote-a-value",
        "what the model hears of a repair repeats a value",
        Plant { tools: quoting, ..Plant::NONE },
    ),
    mutant(
        "notes-without-an-end",
        "a note is left open",
        Plant::lifecycle(|tables| tables.render = left_open),
    ),
    mutant(
        "panics-on-three-rules",
        "a note about three rules panics",
        Plant::lifecycle(|tables| tables.render = panic_on_three),
    ),
    mutant(
        "shared-ids-are-noted",
        "a call whose id starts again before its end is forgotten for the next of the id",
        Plant::lifecycle(|tables| tables.silent_when_shared = false),
    ),
    mutant(
        "valid-twins-do-not-queue",
        "a call that was left alone keeps no place among equal ones",
        Plant::lifecycle(|tables| tables.queue_valid = false),
    ),
    mutant(
        "counts-ignore-times",
        "a record that stands for several events counts once",
        Plant::telemetry(|tables| tables.count = count_once),
    ),
    mutant(
        "damaged-lines-are-lost",
        "a damaged line is skipped with all that stands in it",
        Plant::telemetry(|tables| tables.salvage = false),
    ),
    mutant(
        "fingerprints-cover-names",
        "the fingerprint of an unknown tool covers the name that was sent",
        Plant::telemetry(|tables| tables.fingerprint = |_, own, _| own),
    ),
    mutant(
        "lines-end-with-the-piece",
        "what begins in one piece of a log is not read on in the next",
        Plant::telemetry(|tables| tables.hold = false),
    ),
    mutant(
        "models-as-they-are",
        "a model's id is recorded as it is",
        Plant::telemetry(|tables| tables.name_model = str::to_owned),
    ),
    mutant(
        "names-as-sent",
        "the name of an unknown tool is recorded",
        Plant::telemetry(|tables| tables.name_registered = name_as_sent),
    ),
    mutant(
        "names-as-written",
        "the name in a text is recorded whether such a tool is there or not",
        Plant::telemetry(|tables| tables.name_tool = |_, name| name.to_owned()),
    ),
    mutant(
        "places-as-sent",
        "places are recorded with keys that the model made up",
        Plant::telemetry(|tables| tables.name_place = |_, pointer| pointer.as_str().to_owned()),
    ),
    mutant(
        "refusals-count-twice",
        "a refusal counts as a treatment as well",
        Plant::telemetry(|tables| tables.count = count_refusals_twice),
    ),
    mutant(
        "rotates-away-too-much",
        "only the last line of a long log is kept",
        Plant::telemetry(|tables| tables.rotate = last_line),
    ),
    mutant(
        "rotates-inside-a-line",
        "a long log is cut at the byte, wherever that is",
        Plant::telemetry(|tables| tables.rotate = at_the_byte),
    ),
    mutant(
        "rotates-never",
        "a log may grow for ever",
        Plant::telemetry(|tables| tables.rotate = |_, _| None),
    ),
    mutant(
        "rotates-too-early",
        "a log that is short enough is cut all the same",
        Plant::telemetry(|tables| tables.rotate = too_early),
    ),
    mutant(
        "forgets-the-grammar-block",
        "a `grammarRepair` block means nothing",
        Plant::settings(|tables| tables.migrations.retain(|row| row.id != "grammar-block")),
    ),
    mutant(
        "forgets-the-time-before-profiles",
        "`grammarRecovery` without a profile leaves the profile as it is",
        Plant::settings(|tables| tables.migrations.retain(|row| row.id != "profile-from-grammar")),
    ),
    mutant(
        "saves-anew",
        "a save prints our settings and nothing else",
        Plant::settings(|tables| tables.keep_unknown = false),
    ),
    mutant(
        "saves-cut-off",
        "a save loses the end of the file",
        Plant::settings(|tables| tables.finish = cut_off),
    ),
    mutant(
        "saves-grow",
        "every save adds a line end",
        Plant::settings(|tables| tables.finish = |text| text + "\n"),
    ),
    mutant(
        "saves-tidy-numbers",
        "a save rewrites numbers that it cannot hold",
        Plant::settings(|tables| tables.finish = |text| text.replace("1e400", "null")),
    ),
    mutant(
        "unreadable-files-are-written-over",
        "a file that cannot be read is replaced",
        Plant::settings(|tables| tables.keep_unreadable = false),
    ),
];

fn every_other_time(feedback: &Feedback) -> Note {
    static TURN: AtomicU32 = AtomicU32::new(0);
    let mut note = feedback.note();
    if TURN.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
        note.text = note.text.replace(NOTE_CLOSE, &format!("- Again.\n{NOTE_CLOSE}"));
    }
    note
}

fn closed_twice(feedback: &Feedback) -> Note {
    let mut note = feedback.note();
    note.text.push_str(NOTE_CLOSE);
    note
}

fn left_open(feedback: &Feedback) -> Note {
    let mut note = feedback.note();
    note.text.truncate(note.text.len() - NOTE_CLOSE.len());
    note
}

fn panic_on_three(feedback: &Feedback) -> Note {
    if feedback.rules().len() > 2 {
        // Unwinds without the message of an ordinary panic, which would fill the screen.
        std::panic::resume_unwind(Box::new("planted"));
    }
    feedback.note()
}

fn quoting(tables: &mut tables::Tables) {
    for rule in &mut tables.rules {
        rule.note = "Do not send `zqvalue0`.";
    }
}

fn count_once(tally: &mut telemetry::Tally, outcome: &str, times: u64) {
    let sound = telemetry::tables::Tables::default().count;
    sound(tally, outcome, times.min(1));
}

fn count_refusals_twice(tally: &mut telemetry::Tally, outcome: &str, times: u64) {
    let sound = telemetry::tables::Tables::default().count;
    sound(tally, outcome, times);
    if outcome == "unrepairable" {
        sound(tally, "repaired", times);
    }
}

fn name_as_sent(tool: Option<&Tool>, sent: &str) -> String {
    tool.map_or(sent, Tool::name).to_owned()
}

fn last_line(log: &[u8], limits: telemetry::Rotation) -> Option<usize> {
    telemetry::rotate(log, limits)?;
    telemetry::rotate(log, telemetry::Rotation { bytes_max: 0, bytes_kept: 0 })
}

fn at_the_byte(log: &[u8], limits: telemetry::Rotation) -> Option<usize> {
    telemetry::rotate(log, limits)?;
    log.len().checked_sub(limits.bytes_kept)
}

fn too_early(log: &[u8], limits: telemetry::Rotation) -> Option<usize> {
    telemetry::rotate(log, telemetry::Rotation { bytes_max: limits.bytes_kept, ..limits })
}

fn cut_off(mut text: String) -> String {
    let end = text.trim_end().len().saturating_sub(1);
    text.truncate(end);
    text
}
