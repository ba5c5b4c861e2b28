//! What became of a call's arguments.

use serde_json::Value;

use crate::{Change, Observation, Refusal};

/// What became of a call's arguments; `T` is what was given, a value or a text.
#[derive(Debug)]
pub enum Outcome<'a, T: ?Sized = Value> {
    /// Strictly valid, and nothing configured applies: the very same reference. For text, the very
    /// same slice, which then is strict JSON.
    Valid(&'a T),
    /// The very same reference: the only misfits are exact number text, or `true` and `false` in
    /// any case, and the host's own conversion gives exactly that value.
    Deferred(&'a T),
    /// Repaired, and checked again from scratch.
    Repaired {
        /// Arguments that pass the schema.
        args: Value,
        /// What was done; applying it to what was read gives `args`.
        changes: Vec<Change>,
        /// What was left undone.
        observations: Vec<Observation>,
    },
    /// Not repaired; what was given is untouched.
    Unrepairable(Refusal),
}

impl<T: ?Sized> Outcome<'_, T> {
    /// The name of the outcome: `valid`, `deferred`, `repaired`, `unrepairable`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Valid(_) => "valid",
            Self::Deferred(_) => "deferred",
            Self::Repaired { .. } => "repaired",
            Self::Unrepairable(_) => "unrepairable",
        }
    }
}

/// An outcome that has not been given its reference yet.
#[derive(Debug)]
pub(crate) enum Verdict {
    Valid,
    Deferred,
    Repaired { args: Value, changes: Vec<Change>, observations: Vec<Observation> },
    Unrepairable(Refusal),
}

impl Verdict {
    pub(crate) fn about<T: ?Sized>(self, given: &T) -> Outcome<'_, T> {
        match self {
            Self::Valid => Outcome::Valid(given),
            Self::Deferred => Outcome::Deferred(given),
            Self::Repaired { args, changes, observations } => {
                Outcome::Repaired { args, changes, observations }
            }
            Self::Unrepairable(refusal) => Outcome::Unrepairable(refusal),
        }
    }
}
