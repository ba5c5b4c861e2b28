//! What the model reads of a repair.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "a_session_tells_no_value",
    says: "A note carries no value that was sent, and nothing of the model's id.",
    kills: &["notes-quote-a-value"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut notes = run.notes().peekable();
    if notes.peek().is_none() {
        return Verdict::Vacuous;
    }
    let telling =
        notes.find(|(_, note)| ["zqvalue", "zqmodel"].iter().any(|it| note.text.contains(it)));
    match telling {
        None => Verdict::Holds,
        Some((call, note)) => {
            Verdict::Broken(format!("the note of call {call} says {:?}", note.text))
        }
    }
}
