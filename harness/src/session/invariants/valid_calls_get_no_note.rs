//! Valid twins of repaired calls.

use super::{Invariant, Verdict};
use crate::session::case::script::{Doing, What};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "valid_calls_get_no_note",
    says: "Where a host tells calls apart, a call to which nothing was done gets no note, though its arguments equal those of a repaired one.",
    kills: &["matches-by-arguments-alone", "valid-twins-do-not-queue"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.is_certain() {
        return Verdict::Vacuous;
    }
    let mut finished = false;
    for (what, told) in run.steps() {
        let What::Call(Doing::Finish, call) = what else { continue };
        let handled = &run.calls[call];
        let untouched = handled.announced.is_none() && handled.feedback.is_none();
        if untouched && !run.case.script.shares_id(call) {
            finished = true;
            if let Some(note) = &told.note {
                return Verdict::Broken(format!("call {call} got {:?}", note.text));
            }
        }
    }
    if finished { Verdict::Holds } else { Verdict::Vacuous }
}
