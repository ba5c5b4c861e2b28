//! A value and its text are the same call.

use super::{Invariant, Verdict};
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::malform::Form;
use crate::oracle::reference::{is_exact, number_tokens};
use engine::Limits;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "text_and_value_agree",
    says: "For every JSON value, its strict text and itself get the same outcome.",
    kills: &["read-trims-texts", "read-rounds-numbers"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.case.limits != Limits::DEFAULT {
        return Verdict::Vacuous;
    }
    let from_text;
    let other = if let Some(twin) = run.twin() {
        twin
    } else {
        let Some(value) = run.said_strictly() else { return Verdict::Vacuous };
        // A number that cannot be kept is no longer seen in the value.
        if !number_tokens(&run.case.call.as_text()).into_iter().all(is_exact) {
            return Verdict::Vacuous;
        }
        from_text = run.ask(&Form::Value(value));
        &from_text
    };
    if is_big(run) {
        return Verdict::Vacuous;
    }
    let reason = |answer: &Answer| answer.refusal().map(|refusal| refusal.reason.id());
    let same = run.answer.name() == other.name()
        && run.answer.args() == other.args()
        && reason(&run.answer) == reason(other);
    Verdict::require(same, || {
        let shown =
            |answer: &Answer| format!("{} {:?} {:?}", answer.name(), answer.args(), reason(answer));
        format!("one form is {}, the other {}", shown(&run.answer), shown(other))
    })
}

/// True for a text beyond the limit: such a text is not repaired, but its value may be.
fn is_big(run: &Run<'_>) -> bool {
    run.case.call.as_text().len() > run.case.limits.input_bytes_max as usize
}
