//! What the strict policy does, the lenient one does as well.

use super::{Invariant, Verdict};
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use engine::{Change, Limits, Policy};
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "conservative_recurs_under_adaptive",
    says: "Every change that the conservative policy makes recurs under the adaptive one, and what differs is named by another change.",
    kills: &["adaptive-forgets-exact"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.case.limits != Limits::DEFAULT {
        return Verdict::Vacuous;
    }
    let strict = run.under(Policy::Conservative);
    let lenient = run.under(Policy::Adaptive);
    match strict {
        Answer::Refused(_) => Verdict::Vacuous,
        Answer::Valid { .. } | Answer::Deferred { .. } => match lenient {
            Answer::Refused(refusal) => {
                Verdict::Broken(format!("refused under adaptive only: {}", refusal.reason.id()))
            }
            _ => Verdict::Holds,
        },
        Answer::Repaired { args, changes, .. } => recurs(args, changes, lenient),
    }
}

fn recurs(strict: &Value, changes: &[Change], lenient: &Answer) -> Verdict {
    let (Some(args), more) = (lenient.args(), lenient.changes()) else {
        return Verdict::Broken(format!(
            "repaired under conservative, {} under adaptive",
            lenient.name()
        ));
    };
    let same = |a: &Change, b: &Change| a.rule == b.rule && a.pointer == b.pointer;
    if let Some(gone) = changes.iter().find(|change| !more.iter().any(|other| same(change, other)))
    {
        return Verdict::Broken(format!("`{}` at `{}` does not recur", gone.rule, gone.pointer));
    }
    let extra = more.iter().any(|change| !changes.iter().any(|other| same(change, other)));
    Verdict::require(extra || args == strict, || "the same changes give other arguments".into())
}
