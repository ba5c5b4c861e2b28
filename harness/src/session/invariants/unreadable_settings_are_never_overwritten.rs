//! A settings file that cannot be read.

use engine::settings::Diagnostic;

use super::{Invariant, Verdict};
use crate::session::meaning::Meaning;
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "unreadable_settings_are_never_overwritten",
    says: "A file that is no JSON object gives the defaults, says so, and is never written over.",
    kills: &["unreadable-files-are-written-over"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(edited) = run.edited.as_ref().filter(|it| it.meaning == Meaning::Unreadable) else {
        return Verdict::Vacuous;
    };
    let safe = edited.loaded.is_unreadable() && edited.kept.is_err() && edited.saved.is_err();
    let said = matches!(edited.loaded.diagnostics.as_slice(), [Diagnostic::Unreadable { .. }]);
    Verdict::require(safe && said, || format!("{:?} would become {:?}", edited.text, edited.saved))
}
