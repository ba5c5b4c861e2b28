//! Nothing but the message and its circumstances counts.

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "same_message_same_treatment",
    says: "The same message gets the same treatment again.",
    kills: &["unstable-seam"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let texts: Vec<&str> = run.case.texts.iter().map(String::as_str).collect();
    let again = run.ask(&texts);
    Verdict::require(again == run.treatment, || format!("{again:?} after {:?}", run.treatment))
}
