//! Damage that lost nothing is undone exactly.

use super::{Invariant, Verdict};
use crate::case::Intent;
use crate::oracle::equal::same;
use crate::run::Answer;
use crate::run::Run;
use engine::{Limits, Policy};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "lossless_damage_is_undone",
    says: "The repair of a losslessly damaged call is the call that was meant; a stricter policy may refuse instead.",
    kills: &["wrap-before-read", "no-drop-null", "root-field-elsewhere", "decode-nothing"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let call = &run.case.call;
    if run.case.intent != Intent::Exact || run.is_undamaged() {
        return Verdict::Vacuous;
    }
    let meant = &call.original;
    let got = match &run.answer {
        Answer::Refused(refusal) => {
            return Verdict::require(!run.case.is_unhindered(), || {
                format!("{:?} of {meant} was refused: {}", call.applied, refusal.reason.id())
            });
        }
        Answer::Repaired { args, .. } => Some(args.clone()),
        Answer::Valid { .. } => run.said_strictly(),
        Answer::Deferred { .. } => run.said_strictly().and_then(|given| run.host_alone(&given)),
    };
    let right = got.as_ref().is_some_and(|got| same(got, meant));
    let stricter = run.case.policy == Policy::Conservative && !call.conservative;
    let limited = run.case.limits != Limits::DEFAULT && matches!(run.answer, Answer::Valid { .. });
    if !right && (stricter || limited) {
        return Verdict::Vacuous;
    }
    Verdict::require(right, || {
        let shown = got.map_or("nothing".to_owned(), |got| got.to_string());
        format!("{:?} of {meant} came back {} as {shown}", call.applied, run.answer.name())
    })
}
