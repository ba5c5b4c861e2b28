//! Nothing runs that its schema does not allow.

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "promoted_arguments_pass_second_validator",
    says: "The arguments of a call that runs pass its schema, says a second validator.",
    kills: &["accept-anything"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    for call in &run.treatment.calls {
        if let Some(complaint) = run.workshop.tools.complaint(&call.tool, &call.args) {
            return Verdict::Broken(complaint);
        }
    }
    if run.treatment.calls.is_empty() { Verdict::Vacuous } else { Verdict::Holds }
}
