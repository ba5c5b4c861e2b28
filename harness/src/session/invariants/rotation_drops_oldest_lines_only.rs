//! A log that has grown too long.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "rotation_drops_oldest_lines_only",
    says: "Rotation keeps a log that is short enough, and else drops whole lines from its beginning, no more than it must.",
    kills: &[
        "rotates-away-too-much",
        "rotates-inside-a-line",
        "rotates-too-early",
        "rotates-never",
    ],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = run.journal.as_ref().filter(|journal| !journal.bytes.is_empty()) else {
        return Verdict::Vacuous;
    };
    let (log, limits) = (&journal.bytes, journal.rotation);
    let starts = log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = [0].into_iter().chain(starts.filter(|at| *at < log.len())).collect();
    // The first line from which the rest fits, or the last line however long it is.
    let fits = |at: &&usize| log.len() - **at <= limits.bytes_kept;
    let wanted = if log.len() <= limits.bytes_max {
        0
    } else {
        *starts.iter().find(fits).or(starts.last()).unwrap_or(&0)
    };
    let kept = journal.rotated.unwrap_or(0);
    Verdict::require(kept == wanted, || {
        format!("kept from byte {kept} of {}, not from {wanted}; {limits:?}", log.len())
    })
}
