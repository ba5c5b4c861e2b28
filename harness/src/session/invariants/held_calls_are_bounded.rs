//! What a lifecycle holds.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "held_calls_are_bounded",
    says: "A lifecycle never holds more than its caps, and no call that has ended.",
    kills: &["calls-that-ended-stay", "no-cap-on-calls", "no-cap-on-preparations", "notes-again"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.told.is_empty() {
        return Verdict::Vacuous;
    }
    let bounds = run.case.bounds;
    let over = run.told.iter().find(|told| {
        let ((calls, prepared), on_the_way) = (told.held, told.on_the_way);
        calls > on_the_way.0.min(bounds.bound_max)
            || prepared > on_the_way.1.min(bounds.pending_max)
    });
    over.map_or(Verdict::Holds, |told| {
        Verdict::Broken(format!("{:?} are held, {:?} are on their way", told.held, told.on_the_way))
    })
}
