//! Other tools, and the look at first sight, change nothing.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "alone_and_at_length_agree",
    says: "The same tool, compiled alone and without the look at first sight, gives the same answer.",
    kills: &["size-bounds-validity", "unstable-result"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(alone) = run.bench.alone() else { return Verdict::Vacuous };
    let other = run.ask_tool(alone);
    Verdict::require(other == run.answer, || {
        format!("{} beside other tools, {} alone and at length", run.answer.name(), other.name())
    })
}
