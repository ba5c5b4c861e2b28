//! Damage that lost nothing is undone exactly.

use super::{Invariant, Verdict};
use crate::arguments::case::Intent;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::oracle::equal::same;
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
            return Verdict::require(!run.must_be_repaired(), || {
                format!("{:?} of {meant} was refused: {}", call.applied, refusal.reason.id())
            });
        }
        Answer::Repaired { args, .. } => Some(args.clone()),
        Answer::Valid { .. } => run.said_strictly(),
        Answer::Deferred { .. } => run.said_strictly().and_then(|given| run.host_alone(&given)),
    };
    let right = got.as_ref().is_some_and(|got| same(got, meant));
    let stricter = run.case.policy == Policy::Conservative && !call.conservative;
    let as_sent = matches!(run.answer, Answer::Valid { .. });
    // What fits the schema may run as it stands where nobody claims to see that it is damaged.
    let unseen = run.case.limits != Limits::DEFAULT || run.subject().may_refuse(run.case);
    if !right && (stricter || (unseen && as_sent)) {
        return Verdict::Vacuous;
    }
    Verdict::require(right, || {
        let shown = got.map_or("nothing".to_owned(), |got| got.to_string());
        format!("{:?} of {meant} came back {} as {shown}", call.applied, run.answer.name())
    })
}
