//! A save without a change.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "unchanged_settings_keep_every_byte",
    says: "A file of today's shape that is saved without a change stays the same bytes.",
    kills: &["saves-anew", "saves-grow"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(edited) = &run.edited else { return Verdict::Vacuous };
    // An override without a profile beside it is the oldest shape, and gains the profile.
    if edited.saved().is_none() || !edited.is_current() {
        return Verdict::Vacuous;
    }
    let kept = &edited.kept;
    Verdict::require(kept.as_deref() == Ok(&edited.text), || {
        format!("{:?}, then {kept:?}", edited.text)
    })
}
