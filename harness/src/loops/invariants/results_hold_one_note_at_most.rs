//! A result tells of its own repair, once.

use engine::lifecycle::NOTE_OPEN;

use super::super::run::{Run, results};
use super::{Invariant, Verdict, played};

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "results_hold_one_note_at_most",
    says: "The results of a session hold one repair note each at most, and no other message holds one.",
    kills: &["notes-say-it-twice"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |played| {
        let trace = &played.mended;
        let counts: Vec<usize> =
            results(trace).map(|text| text.matches(NOTE_OPEN).count()).collect();
        if counts.iter().any(|count| *count > 1) {
            return Verdict::Broken(format!("notes in the results: {counts:?}"));
        }
        let elsewhere = |message: &serde_json::Value| {
            message["role"] != "toolResult" && message.to_string().contains(NOTE_OPEN)
        };
        if trace.transcript.iter().any(elsewhere) {
            return Verdict::Broken("a message that is no result holds a note".to_owned());
        }
        if counts.contains(&1) { Verdict::Holds } else { Verdict::Vacuous }
    })
}
