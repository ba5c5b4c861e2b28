//! Calls that another tool makes.

use super::{Invariant, Verdict};
use crate::session::case::script::{Doing, What};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "nested_calls_are_silent",
    says: "A call by another tool gets no note: it would become part of a script's value.",
    kills: &["nested-calls-are-noted"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut finished = false;
    for (what, told) in run.steps() {
        let What::Call(Doing::Finish, call) = what else { continue };
        if run.case.script.calls[call].nested {
            finished = true;
            if let Some(note) = &told.note {
                return Verdict::Broken(format!("call {call} got {:?}", note.text));
            }
        }
    }
    if finished { Verdict::Holds } else { Verdict::Vacuous }
}
