//! Damage that lost something is refused, or leads to what is known to be acceptable.

use super::{Invariant, Verdict};
use crate::arguments::case::Intent;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "lossy_damage_is_refused_or_acceptable",
    says: "A call that lost something is refused, or comes out as the damage itself declares acceptable.",
    kills: &[
        "null-becomes-text",
        "complete-cut-strings",
        "last-duplicate-wins",
        "digits-become-booleans",
        "first-item-of-many",
        "ignore-inexact",
        "round-numbers",
    ],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let call = &run.case.call;
    // What the host's own hook leaves out is the host's decision.
    if run.case.intent != Intent::Declared || run.case.hook {
        return Verdict::Vacuous;
    }
    if call.name != call.subject.name && run.resolve().is_none() {
        return Verdict::Holds;
    }
    let got = match &run.answer {
        Answer::Refused(_) => return Verdict::Holds,
        Answer::Repaired { args, .. } => Some(args.clone()),
        Answer::Valid { .. } => run.said_strictly(),
        Answer::Deferred { .. } => run.said_strictly().and_then(|given| run.host_alone(&given)),
    };
    let allowed = got.as_ref().is_some_and(|got| call.allows(got));
    Verdict::require(allowed, || {
        let shown = got.map_or("nothing".to_owned(), |got| got.to_string());
        format!(
            "{:?} of {} came back {} as {shown}",
            call.applied,
            call.original,
            run.answer.name()
        )
    })
}
