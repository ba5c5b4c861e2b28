//! Reading costs work in proportion to the text.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::malform::Form;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "work_is_bounded",
    says: "The reader takes no more than a fixed number of steps a byte.",
    kills: &["read-every-prefix"],
    check,
};

/// Steps a byte; the most that was seen is below half of this.
const STEPS_PER_BYTE: u64 = 16;

fn check(run: &Run<'_>) -> Verdict {
    let text = match &run.case.call.form {
        Form::Text(text) => text.clone(),
        Form::Value(value) if run.case.salt.is_multiple_of(4) => value.to_string(),
        Form::Value(_) => return Verdict::Vacuous,
    };
    let Some(Ok(read)) = run.read(&text) else { return Verdict::Vacuous };
    let most = (text.len() as u64 + 16) * STEPS_PER_BYTE;
    Verdict::require(read.steps <= most, || {
        format!("{} steps for {} bytes", read.steps, text.len())
    })
}
