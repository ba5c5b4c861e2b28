//! No session and no text makes the advisor panic.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "no_note_panics",
    says: "The advisor and its classifier return, whatever they hear.",
    kills: &["panic-inside-a-character"],
    check,
};

/// Reaching this check is the proof; the campaign reports a panic on the way as a break of this promise.
fn check(_: &Run<'_>) -> Verdict {
    Verdict::Holds
}
