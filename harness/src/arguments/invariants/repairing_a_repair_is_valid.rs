//! A repair is a fixed point.

use super::{Invariant, Verdict};
use crate::arguments::run::Answer;
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "repairing_a_repair_is_valid",
    says: "Repaired arguments, given back to the engine, are valid as they stand.",
    kills: &["edit-after-validation", "rename-to-alias"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(args) = run.answer.args() else { return Verdict::Vacuous };
    let again = run.ask_unhooked(args);
    Verdict::require(again == Answer::Valid { same: true }, || {
        format!("the repair {args} is {} when given back", again.name())
    })
}
