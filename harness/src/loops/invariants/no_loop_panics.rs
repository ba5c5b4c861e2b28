//! Whatever happens in a session, the engine answers.

use super::super::run::Run;
use super::{Invariant, Verdict, played};

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "no_loop_panics",
    says: "No session makes the engine panic.",
    kills: &["panics-over-a-note"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |_| Verdict::Holds)
}
