//! Where nothing goes wrong, the engine is not to be noticed.

use corpus::View;

use super::super::run::Run;
use super::{Invariant, Verdict, played};
use crate::sim::compare;

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "an_orderly_loop_stays_as_it_is",
    says: "A session without malformed calls and failures goes with the engine as it goes without: every event, request, result and entry.",
    kills: &["valid-calls-are-refused"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |played| {
        let failed = |label: &String| label.contains("assistant(error");
        if !run.case.orderly || played.alone.view(View::Events).iter().any(failed) {
            return Verdict::Vacuous;
        }
        match compare(&played.alone, &played.mended) {
            Some(difference) => Verdict::Broken(difference.to_string()),
            None => Verdict::require(played.alone == played.mended, || "words differ".to_owned()),
        }
    })
}
