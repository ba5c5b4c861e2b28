//! Accepted as it stands means valid, also for a validator the engine does not use.

use super::{Invariant, Verdict};
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::malform::Form;
use crate::oracle::reference::{Strict, is_beyond, is_exact, number_tokens, read_strict};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "accepted_means_valid",
    says: "What is accepted as it stands passes the schema, says a second validator.",
    kills: &["accept-everything"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !matches!(run.answer, Answer::Valid { .. }) {
        return Verdict::Vacuous;
    }
    let strict;
    let value = match &run.case.call.form {
        Form::Value(value) => value,
        Form::Text(text) => match read_strict(text) {
            Strict::Value(value) => {
                strict = value;
                &strict
            }
            // What the second reader cannot hold: deep texts, and numbers beyond a double.
            Strict::Other if is_beyond(text) || !number_tokens(text).into_iter().all(is_exact) => {
                return Verdict::Vacuous;
            }
            Strict::Conflict | Strict::Other => {
                return Verdict::Broken(
                    "a text that is not strict JSON was accepted as it stands".into(),
                );
            }
        },
    };
    match run.bench.second.complaint(value) {
        None => Verdict::Holds,
        Some(complaint) => Verdict::Broken(complaint),
    }
}
