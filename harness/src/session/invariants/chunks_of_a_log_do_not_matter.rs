//! Reading a log in pieces.

use engine::telemetry::LINE_MAX;

use super::{Invariant, Verdict};
use crate::session::run::Run;
use crate::session::run::journal::read;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "chunks_of_a_log_do_not_matter",
    says: "Whatever the size of the pieces a log is read in, the same records are found and the same lines skipped.",
    kills: &["lines-end-with-the-piece"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (Some(journal), Some(log)) = (&run.journal, &run.case.log) else { return Verdict::Vacuous };
    if journal.bytes.len() <= log.chunk || journal.bytes.len() > LINE_MAX {
        return Verdict::Vacuous;
    }
    let (records, skipped) = read(run.workshop, &journal.bytes, log.chunk);
    Verdict::require(records == journal.read && skipped == journal.skipped, || {
        format!(
            "pieces of {} bytes give {} records and {skipped:?}, all at once {} and {:?}",
            log.chunk,
            records.len(),
            journal.read.len(),
            journal.skipped
        )
    })
}
