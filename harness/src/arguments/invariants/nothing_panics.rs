//! No input makes the engine panic.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "nothing_panics",
    says: "Every entry point returns, whatever it is given.",
    kills: &["panic-on-many-members"],
    check,
};

/// Reaching this check is the proof; the campaign reports a panic on the way as a break of this promise.
fn check(_: &Run<'_>) -> Verdict {
    Verdict::Holds
}
