//! The form of a note.

use engine::lifecycle::{NOTE_CHARS_MAX, NOTE_CLOSE, NOTE_OPEN};

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "notes_fit_one_block",
    says: "A note is one block that opens and closes once, of bounded length, with no sign that hides anything.",
    kills: &["notes-close-twice", "notes-without-an-end"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut notes = run.notes().peekable();
    if notes.peek().is_none() {
        return Verdict::Vacuous;
    }
    let fits = |text: &str| {
        let inside = text.strip_prefix(NOTE_OPEN).and_then(|rest| rest.strip_suffix(NOTE_CLOSE));
        text.chars().count() <= NOTE_CHARS_MAX
            && inside.is_some_and(|inside| {
                !inside.contains(['<', '>'])
                    && !inside.chars().any(|sign| sign.is_control() && sign != '\n')
            })
    };
    let wrong = notes.find(|(_, note)| !fits(&note.text));
    wrong.map_or(Verdict::Holds, |(call, note)| {
        Verdict::Broken(format!("the note of call {call} is {:?}", note.text))
    })
}
