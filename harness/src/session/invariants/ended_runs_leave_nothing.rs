//! The end of a run.

use super::{Invariant, Verdict};
use crate::session::case::script::What;
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "ended_runs_leave_nothing",
    says: "After a run or a session has ended, nothing is held.",
    kills: &["ends-forget-nothing"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let ends = run.steps().filter(|(what, _)| matches!(what, What::RunEnded | What::Shutdown));
    let held: Vec<(usize, usize)> = ends.map(|(_, told)| told.held).collect();
    if held.is_empty() {
        return Verdict::Vacuous;
    }
    Verdict::require(held.iter().all(|held| *held == (0, 0)), || format!("{held:?} are held"))
}
