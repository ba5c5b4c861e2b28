//! The changes are the repair.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use engine::replay;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "changes_replay_to_args",
    says: "Applying the operations of all changes in order to what the reader produced gives exactly the arguments.",
    kills: &["edit-after-validation"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (Some(args), Some(start)) = (run.answer.args(), run.start()) else {
        return Verdict::Vacuous;
    };
    match replay(start.clone(), run.answer.changes()) {
        Err(error) => Verdict::Broken(error.to_string()),
        Ok(replayed) => {
            // As text, so that the order of keys counts.
            let (got, wanted) = (replayed.to_string(), args.to_string());
            Verdict::require(got == wanted, || format!("the changes give {got} and not {wanted}"))
        }
    }
}
