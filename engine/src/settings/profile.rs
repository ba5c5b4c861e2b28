//! What a profile means, and what an override changes: one table.

use crate::Policy;
use crate::grammar::{Mode, UnknownTools};

/// One row of [`PROFILES`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Profile {
    /// The profile, which is also the policy for arguments.
    pub policy: Policy,
    /// What it does about calls in text, unless `grammarRecovery` says otherwise.
    pub grammar: Mode,
    /// What it does about unknown tools in text, unless `unknownGrammarText` says otherwise.
    pub unknown_text: UnknownTools,
    /// What a user reads about it.
    pub says: &'static str,
}

/// The whole meaning of a profile beyond arguments, one row each; [`crate::POLICIES`] is the rest.
pub const PROFILES: &[Profile] = &[
    Profile {
        policy: Policy::Conservative,
        grammar: Mode::of(Policy::Conservative),
        unknown_text: UnknownTools::Preserve,
        says: "exact repairs only; calls in text are counted",
    },
    Profile {
        policy: Policy::Adaptive,
        grammar: Mode::of(Policy::Adaptive),
        unknown_text: UnknownTools::Preserve,
        says: "also closers and model habits; calls in text are taken out",
    },
    Profile {
        policy: Policy::Recover,
        grammar: Mode::of(Policy::Recover),
        unknown_text: UnknownTools::Preserve,
        says: "as adaptive; calls in text also run, if every gate agrees",
    },
];

impl Profile {
    /// The row of a profile.
    pub fn of(policy: Policy) -> Self {
        let found = PROFILES.iter().find(|row| row.policy == policy);
        found.or(PROFILES.first()).copied().unwrap_or(Self {
            policy,
            grammar: Mode::of(policy),
            unknown_text: UnknownTools::Preserve,
            says: "",
        })
    }
}
