//! A save of what was saved.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "saving_twice_is_saving_once",
    says: "A file that was saved and is saved again stays the same bytes.",
    kills: &["saves-grow"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(saved) = run.edited.as_ref().and_then(|edited| edited.saved()) else {
        return Verdict::Vacuous;
    };
    let again = run.workshop.load(saved);
    let twice = again.save(&again.settings);
    Verdict::require(twice.as_deref() == Ok(saved), || format!("{saved:?}, then {twice:?}"))
}
