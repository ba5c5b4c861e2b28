//! The engine never spoils what the host would have run rightly.

use super::{Invariant, Verdict};
use crate::arguments::case::Intent;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::oracle::equal::same;
use crate::oracle::reference::is_exact;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "never_worse_than_host",
    says: "Where the host alone runs what was meant, so does the engine, or it refuses for a listed reason; what is deferred, the host runs.",
    kills: &["defer-blindly"],
    check,
};

/// Reasons for which a call may be refused that the host would have run rightly.
const MAY_REFUSE: &[(&str, &str)] = &[
    ("over-limit", "the owner chose a limit"),
    ("withheld", "the owner chose a policy"),
    ("cut-off", "the server says that the answer is not whole"),
    ("inexact-number", "a number beside it cannot be kept"),
];

fn check(run: &Run<'_>) -> Verdict {
    let Some(given) = run.sent_strictly() else { return Verdict::Vacuous };
    if run.case.host.is_none() {
        let deferred = matches!(run.answer, Answer::Deferred { .. });
        return if deferred {
            Verdict::Broken("deferred to no host".into())
        } else {
            Verdict::Vacuous
        };
    }
    let host = run.host_alone(&given);
    if matches!(run.answer, Answer::Deferred { .. }) {
        let right = host
            .as_ref()
            .is_some_and(|ran| run.bench.second.accepts(ran) && only_respelled(&given, ran));
        return Verdict::require(right, || format!("deferred, but the host runs {host:?}"));
    }
    let meant = &run.case.call.original;
    if run.case.intent != Intent::Exact || !host.is_some_and(|ran| same(&ran, meant)) {
        return Verdict::Vacuous;
    }
    match &run.answer {
        Answer::Repaired { args, .. } => Verdict::require(same(args, meant), || {
            format!("the host runs {meant}, the engine {args}")
        }),
        Answer::Refused(refusal) => {
            let id = refusal.reason.id();
            let listed =
                !run.must_be_repaired() && MAY_REFUSE.iter().any(|(known, _)| *known == id);
            Verdict::require(listed, || format!("the host runs {meant}, the engine refuses: {id}"))
        }
        Answer::Valid { .. } | Answer::Deferred { .. } => Verdict::Holds,
    }
}

/// True if `ran` differs from `given` only where a text spells a number or a boolean.
fn only_respelled(given: &Value, ran: &Value) -> bool {
    match (given, ran) {
        (Value::String(text), Value::Bool(truth)) => text.eq_ignore_ascii_case(&truth.to_string()),
        (Value::String(text), Value::Number(_)) => {
            is_exact(text) && serde_json::from_str(text).is_ok_and(|read: Value| same(&read, ran))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| only_respelled(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| only_respelled(a, b)))
        }
        (a, b) => same(a, b),
    }
}
