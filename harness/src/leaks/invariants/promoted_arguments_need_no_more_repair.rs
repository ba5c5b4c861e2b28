//! A leaked call is as good as a native one.

use engine::Outcome;

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "promoted_arguments_need_no_more_repair",
    says: "The tool itself takes the arguments of a call that runs as they are.",
    kills: &["accept-anything"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let context = run.case.setting.context();
    let registry = &run.workshop.sound.registry;
    for call in &run.treatment.calls {
        let outcome = registry.repair_call(&call.tool, &call.args, &context).outcome;
        if !matches!(outcome, Outcome::Valid(_) | Outcome::Deferred(_)) {
            return Verdict::Broken(format!("{} says {outcome:?} of {}", call.tool, call.args));
        }
    }
    if run.treatment.calls.is_empty() { Verdict::Vacuous } else { Verdict::Holds }
}
