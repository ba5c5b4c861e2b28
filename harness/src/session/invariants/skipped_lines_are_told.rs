//! What is said of lines that gave no record.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "skipped_lines_are_told",
    says: "A log without damage skips nothing, and every whole line of a newer version is counted as such.",
    kills: &["damaged-lines-are-lost"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = run.journal.as_ref().filter(|journal| !journal.bytes.is_empty()) else {
        return Verdict::Vacuous;
    };
    let skipped = journal.skipped;
    let right = skipped.newer == journal.newer && (journal.is_damaged || skipped.total() == 0);
    Verdict::require(right, || format!("{skipped:?}, with {} newer lines", journal.newer))
}
