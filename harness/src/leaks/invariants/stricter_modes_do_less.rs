//! Each mode does what the one before it does, and more.

use engine::grammar::{Mode, Treatment};

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "stricter_modes_do_less",
    says: "What is found is the same in observe, strip and recover; strip and recover leave the same texts; only recover runs calls.",
    kills: &["recover-in-any-mode"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let modes = [Mode::Observe, Mode::Strip, Mode::Recover];
    let [observe, strip, recover] = modes.map(|mode| run.under(mode));
    if observe.leaks.is_empty() && (run.tells() || !recover.changes_message()) {
        return Verdict::Vacuous;
    }
    let places = |treatment: &Treatment| -> Vec<_> {
        let leaks = treatment.leaks.iter();
        leaks.map(|leak| (leak.part, leak.range.clone(), leak.family, leak.state)).collect()
    };
    if places(observe) != places(strip) || places(strip) != places(recover) {
        return Verdict::Broken("modes find different leaks".to_owned());
    }
    if !observe.calls.is_empty() || !strip.calls.is_empty() {
        return Verdict::Broken("calls run in another mode than recover".to_owned());
    }
    Verdict::require(strip.texts == recover.texts, || {
        format!("strip leaves {:?}, recover {:?}", strip.texts, recover.texts)
    })
}
