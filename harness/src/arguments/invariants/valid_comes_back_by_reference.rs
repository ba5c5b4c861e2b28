//! Valid arguments come back as the very same reference.

use super::{Invariant, Verdict};
use crate::arguments::case::Intent;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "valid_comes_back_by_reference",
    says: "Valid arguments come back as the very same reference, and so do those left to the host.",
    kills: &["size-bounds-validity"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    match &run.answer {
        Answer::Valid { same: false } | Answer::Deferred { same: false } => {
            Verdict::Broken("something else than the input came back".into())
        }
        Answer::Valid { .. } | Answer::Deferred { .. } => Verdict::Holds,
        other if run.case.intent == Intent::Exact && run.is_undamaged() => {
            Verdict::Broken(format!("valid arguments were {}", other.name()))
        }
        _ => Verdict::Vacuous,
    }
}
