//! Once is enough.

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "stripping_is_a_fixpoint",
    says: "What is left of a message has nothing in it that would be removed or run.",
    kills: &["skip-the-fixpoint"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.treatment.changes_message() {
        return Verdict::Vacuous;
    }
    let again = run.ask(&run.left());
    Verdict::require(!again.changes_message(), || {
        format!("{:?} becomes {:?}, and {} calls run", run.left(), again.texts, again.calls.len())
    })
}
