//! Every result of a session against the model of the lifecycle.

use engine::lifecycle::Note;

use super::{Invariant, Verdict};
use crate::session::case::script::{Doing, What};
use crate::session::model::Said;
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "each_repair_is_noted_once",
    says: "Each repaired call gets one note with all that was done to it, exactly when the model says so, and no other call gets any.",
    kills: &[
        "calls-that-ended-stay",
        "expires-at-once",
        "expires-never",
        "matches-by-arguments-alone",
        "nested-calls-are-noted",
        "notes-again",
        "shared-ids-are-noted",
        "valid-twins-do-not-queue",
    ],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if let Some(call) = run.calls.iter().position(|call| call.misjudged) {
        return Verdict::Broken(format!(
            "call {call}: there is feedback and nothing to say, or the reverse"
        ));
    }
    let mut judged = false;
    for (step, (what, told)) in run.steps().enumerate() {
        if matches!(what, What::Call(Doing::Finish, _)) {
            judged = true;
        }
        let says = |note: &Note, said: &Said| {
            let mut at = 0;
            let found = |mark: &String| {
                let place = note.text.get(at..).and_then(|rest| rest.find(mark.as_str()));
                at += place.unwrap_or_default();
                place.is_some()
            };
            said.marks.iter().all(found)
                && note.text.matches("\n- [").count() == said.marks.len()
                && note.rules == said.rules
        };
        let right = match (&told.note, &told.wanted) {
            (None, None) => true,
            (Some(note), Some(said)) => says(note, said),
            _ => false,
        };
        if !right {
            return Verdict::Broken(format!(
                "step {step} wants {:?}, gave {:?}",
                told.wanted, told.note
            ));
        }
    }
    if judged { Verdict::Holds } else { Verdict::Vacuous }
}
