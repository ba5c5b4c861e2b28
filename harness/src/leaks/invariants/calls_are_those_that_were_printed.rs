//! No call is altered, made up, or taken out of the value of another.

use super::{Invariant, Verdict};
use crate::leaks::case::Intent;
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "calls_are_those_that_were_printed",
    says: "Every call that runs is one that was printed as a call outside code, in the order of printing.",
    kills: &["trim-values", "type-by-looks", "values-in-capitals"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.case.intent == Intent::Unknown || run.treatment.calls.is_empty() {
        return Verdict::Vacuous;
    }
    let open = run.case.blocks.iter().filter(|block| !block.shown);
    let mut printed = open.flat_map(|block| &block.calls);
    for call in &run.treatment.calls {
        if !printed.any(|it| run.is_meant(it, call)) {
            return Verdict::Broken(format!("nobody printed {} {}", call.tool, call.args));
        }
    }
    Verdict::Holds
}
