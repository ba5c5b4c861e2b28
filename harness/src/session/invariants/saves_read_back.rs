//! What a save says.

use engine::settings::Diagnostic;

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "saves_read_back",
    says: "A file that was saved says what was to be saved, in today's shape.",
    kills: &["saves-cut-off"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some((edited, saved)) = run.edited.as_ref().and_then(|it| Some((it, it.saved()?))) else {
        return Verdict::Vacuous;
    };
    let again = run.workshop.load(saved);
    let is_old = |said: &Diagnostic| matches!(said, Diagnostic::OldShape { .. });
    if again.diagnostics.iter().any(is_old) {
        return Verdict::Broken(format!("{saved:?} still has an older shape"));
    }
    Verdict::require(again.settings == edited.wanted, || {
        format!("{saved:?} says {:?}, not {:?}", again.settings, edited.wanted)
    })
}
