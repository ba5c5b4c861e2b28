//! Modes that only look do not touch.

use engine::grammar::Mode;

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "observing_changes_nothing",
    says: "In the modes off and observe no text changes and nothing runs; in off nothing is looked for.",
    kills: &["recover-in-any-mode"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mode = run.case.setting.effective_mode();
    if mode > Mode::Observe {
        return Verdict::Vacuous;
    }
    let blind = run.treatment.leaks.is_empty() && run.treatment.steps == 0;
    let kept = !run.treatment.changes_message() && (mode == Mode::Observe || blind);
    Verdict::require(kept, || format!("mode {mode} changes the message"))
}
