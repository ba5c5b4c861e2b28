//! The engine in a session depends on the session alone.

use super::super::run::Run;
use super::{Invariant, Verdict, played};
use crate::sim::compare;

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "loops_play_alike_twice",
    says: "A session played again with the engine is the same session.",
    kills: &["refuses-every-other-call"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |played| match run.play() {
        Ok(Some(again)) => match compare(&played.mended, &again) {
            Some(difference) => Verdict::Broken(difference.to_string()),
            None => Verdict::require(played.mended == again, || "words differ".to_owned()),
        },
        Ok(None) => Verdict::Broken("it could not be played again".to_owned()),
        Err(error) => Verdict::Broken(error),
    })
}
