//! What is found in a damaged log.

use engine::telemetry::Record;

use super::{Invariant, Verdict};
use crate::session::run::Run;
use crate::session::run::journal::Whole;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "cut_logs_keep_whole_records",
    says: "Every record that is whole in a log is found, in order, whatever stands around it and wherever the log is cut.",
    kills: &["damaged-lines-are-lost", "lines-end-with-the-piece"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = run.journal.as_ref().filter(|journal| !journal.whole.is_empty()) else {
        return Verdict::Vacuous;
    };
    if journal.read.len() != journal.whole.len() {
        let (read, whole) = (journal.read.len(), journal.whole.len());
        return Verdict::Broken(format!("{whole} records are whole, {read} were found"));
    }
    let same = |(read, whole): (&Record, &Whole)| match whole {
        Whole::Record(row) => *read == journal.records[*row],
        Whole::Older => read.time() > 0,
    };
    let wrong = journal.read.iter().zip(&journal.whole).position(|pair| !same(pair));
    wrong.map_or(Verdict::Holds, |row| {
        Verdict::Broken(format!("line {row} reads {}", journal.read[row].to_line()))
    })
}
