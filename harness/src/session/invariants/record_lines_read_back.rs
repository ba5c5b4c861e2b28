//! A record as it is written.

use super::{Invariant, Verdict};
use crate::session::run::Run;
use crate::session::run::journal::read;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "record_lines_read_back",
    says: "A record is one line, and reads back as the same record.",
    kills: &["models-as-they-are", "names-as-sent"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = &run.journal else { return Verdict::Vacuous };
    for (record, line) in journal.records.iter().zip(&journal.lines) {
        let is_one = line.find('\n') == Some(line.len() - 1) && line.is_ascii();
        let (back, skipped) = read(run.workshop, line.as_bytes(), line.len());
        if !is_one || back != [record.clone()] || skipped.total() != 0 {
            return Verdict::Broken(format!("{line:?} reads back as {back:?}"));
        }
    }
    Verdict::Holds
}
