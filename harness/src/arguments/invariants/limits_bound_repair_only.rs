//! Limits bound repair, never the acceptance of valid input.

use std::sync::Arc;

use super::{Invariant, Verdict};
use crate::arguments::case::Intent;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use engine::{Limits, Reason, Stage};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "limits_bound_repair_only",
    says: "Under a small limit valid arguments stay valid, and a repair is the same as ever or the refusal names the limit.",
    kills: &["size-bounds-validity"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut small = run.case.clone();
    if small.limits == Limits::DEFAULT {
        match run.case.salt % 16 {
            0 => small.limits.input_bytes_max = 1,
            1 => small.limits.decodes_max = 0,
            2 => small.limits.passes_max = 1,
            3 => small.limits.changes_max = 1,
            4 => small.limits.work_max = 20,
            _ if run.case.call.applied.is_empty() => small.limits.work_max = 1,
            _ => return Verdict::Vacuous,
        }
    }
    let mut wide = run.case.clone();
    wide.limits = Limits::DEFAULT;
    let bench = || Arc::clone(&run.bench);
    let (small, wide) = (Run::new(&small, bench()), Run::new(&wide, bench()));
    let names_it = |answer: &Answer| matches!(answer.refusal(), Some(refusal) if matches!(refusal.reason, Reason::OverLimit(_)));
    let undamaged = run.case.intent == Intent::Exact && run.case.call.applied.is_empty();
    let kept = match (&small.answer, &wide.answer) {
        (Answer::Repaired { args, changes, .. }, Answer::Repaired { args: wanted, .. }) => {
            let made = changes
                .iter()
                .filter(|change| matches!(change.stage, Stage::Preprocess | Stage::Repair))
                .count();
            // A text whose value fits is run as read where taking it out of a wrapper costs too much.
            let same = args == wanted || small.start() == Some(args);
            same && made <= small.case.limits.changes_max as usize
        }
        // What fits the schema is run as it stands where taking it out of a wrapper costs too much.
        (Answer::Valid { .. }, _) => true,
        (_, Answer::Valid { .. }) => false,
        (Answer::Refused(_), Answer::Repaired { .. } | Answer::Deferred { .. }) => {
            names_it(&small.answer)
        }
        (small, wide) => {
            small.name() == wide.name()
                && !(undamaged
                    && small.refusal().is_some()
                    && run.sent_strictly().as_ref() == Some(&run.case.call.original))
        }
    };
    Verdict::require(kept, || {
        format!(
            "{} under small limits, {} under wide ones",
            small.answer.name(),
            wide.answer.name()
        )
    })
}
