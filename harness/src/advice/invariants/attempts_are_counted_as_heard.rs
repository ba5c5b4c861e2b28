//! A note claims no retries that did not happen.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "attempts_are_counted_as_heard",
    says: "A note names the number of attempts if more than one was heard, and says nothing of them otherwise.",
    kills: &["attempts-from-one"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (note, due) in run.pairs() {
        let Some(fact) = note.facts.first().filter(|_| note.class.is_some()) else { continue };
        applies = true;
        let right = match due.attempts {
            0 | 1 => !fact.contains("attempt"),
            more => fact.contains(&format!(" after {more} attempts")),
        };
        if !right || fact.contains("retries") {
            return Verdict::Broken(format!("{} attempts: {fact}", due.attempts));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
