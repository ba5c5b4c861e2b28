//! The same session twice.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "same_events_same_notes",
    says: "The same reports get the same notes.",
    kills: &["notes-change-with-time"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.notes().next().is_none() {
        return Verdict::Vacuous;
    }
    let again = run.tell_again();
    Verdict::require(again == run.told, || "the same reports got other notes".to_owned())
}
