//! What leaves the process about a session.

use engine::lifecycle::indicator;

use super::{Invariant, Verdict};
use crate::session::case::CANARY;
use crate::session::run::Run;
use crate::session::run::journal::{pages, stats};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "canaries_reach_no_record",
    says: "Nothing that was planted in values, keys, tool names or model ids reaches a record, an indicator or the statistics.",
    kills: &["models-as-they-are", "names-as-sent", "names-as-written", "places-as-sent"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = &run.journal else { return Verdict::Vacuous };
    let stats = stats(run.workshop, journal.records.iter().chain(&journal.read));
    let marks = run.notes().map(|(_, note)| indicator(&note.rules, 60));
    let out = journal.lines.iter().cloned().chain(marks).chain([pages(&stats)]);
    let mut leaking = out.filter(|text| text.to_lowercase().contains(CANARY));
    match leaking.next() {
        None => Verdict::Holds,
        Some(text) => Verdict::Broken(format!("a canary stands in {text}")),
    }
}
