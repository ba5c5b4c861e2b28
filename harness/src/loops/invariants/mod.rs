//! The promises about sessions of the host with the engine in it, one file each.

mod advice_ends_with_success;
mod an_orderly_loop_stays_as_it_is;
mod calls_run_with_what_was_said;
mod loops_play_alike_twice;
mod no_loop_panics;
mod results_hold_one_note_at_most;

pub use crate::area::Verdict;

use super::run::{Played, Run};

/// A promise about sessions of the host.
pub type Invariant = crate::area::Invariant<super::Loops>;

/// Every promise, sorted by name.
pub(super) const INVARIANTS: &[Invariant] = &[
    advice_ends_with_success::INVARIANT,
    an_orderly_loop_stays_as_it_is::INVARIANT,
    calls_run_with_what_was_said::INVARIANT,
    loops_play_alike_twice::INVARIANT,
    no_loop_panics::INVARIANT,
    results_hold_one_note_at_most::INVARIANT,
];

/// Nothing is said about a script that cannot be played.
fn played(run: &Run<'_>, check: impl FnOnce(&Played) -> Verdict) -> Verdict {
    run.played.as_ref().map_or(Verdict::Vacuous, check)
}
