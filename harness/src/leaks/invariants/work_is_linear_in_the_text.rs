//! Work is bounded by the length of the message.

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "work_is_linear_in_the_text",
    says: "A message takes at most a fixed number of steps for each of its bytes.",
    kills: &["read-the-rest-again-and-again"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let bytes: usize = run.case.texts.iter().map(String::len).sum();
    let most = STEPS_PER_BYTE * bytes as u64 + STEPS_FLOOR;
    let steps = run.treatment.steps;
    Verdict::require(steps <= most, || format!("{steps} steps for {bytes} bytes"))
}

/// Steps that each byte may cost: it is scanned eight times at most (four readings, of the message
/// and of what is left of it), and each scan may look for a handful of markers from one place.
const STEPS_PER_BYTE: u64 = 480;

/// Steps that any message may cost.
const STEPS_FLOOR: u64 = 4_096;
