//! Repaired arguments pass a validator that shares no code with the engine.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "repaired_passes_second_validator",
    says: "Repaired arguments pass the schema, says a second validator.",
    kills: &["accept-everything", "edit-after-validation"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(args) = run.answer.args() else { return Verdict::Vacuous };
    match run.bench.second.complaint(args) {
        None => Verdict::Holds,
        Some(complaint) => Verdict::Broken(complaint),
    }
}
