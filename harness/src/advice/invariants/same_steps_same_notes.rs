//! The answer depends on the steps alone.

use super::{Invariant, Verdict};
use crate::advice::run::Asking;
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "same_steps_same_notes",
    says: "Another advisor that hears the same steps answers the same, character by character.",
    kills: &["unstable-quote"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.case.salt.is_multiple_of(4) {
        return Verdict::Vacuous;
    }
    let again = run.again(Asking::Once);
    match run.answers.iter().zip(&again).position(|(one, other)| one != other) {
        Some(at) => Verdict::Broken(format!("step {}: {:?}", at + 1, again[at])),
        None => Verdict::Holds,
    }
}
