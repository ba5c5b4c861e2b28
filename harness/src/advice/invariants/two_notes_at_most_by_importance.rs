//! A request is not buried under notes.

use super::{Invariant, Verdict};
use crate::advice::run::Answer;
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "two_notes_at_most_by_importance",
    says: "A request gets at most two notes, each of another kind, the most important first.",
    kills: &["three-notes"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let most = run.answers.iter().map(|answer| answer.notes.len()).max().unwrap_or(0);
    let ordered = |answer: &Answer| answer.notes.is_sorted_by(|a, b| a.kind < b.kind);
    if most > 2 || !run.answers.iter().all(ordered) {
        return Verdict::Broken(format!("{most} notes, or out of order"));
    }
    if most == 0 { Verdict::Vacuous } else { Verdict::Holds }
}
