//! What no change names is where it was, as it was.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::json;
use engine::{Operation, Pointer};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "nothing_moves_outside_changes",
    says: "A leaf that no operation names stands in the result where it stood, and no other leaf appears.",
    kills: &["edit-after-validation"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (Some(args), Some(start)) = (run.answer.args(), run.start()) else {
        return Verdict::Vacuous;
    };
    let named: Vec<&Pointer> = run
        .answer
        .changes()
        .iter()
        .flat_map(|change| &change.operations)
        .flat_map(places)
        .collect();
    for (from, to, says) in [(start, args, "went"), (args, start, "appeared")] {
        for (place, leaf) in json::leaves(from) {
            let at = Pointer::from_escaped(&json::pointer(&place));
            let touched = named.iter().any(|name| name.contains(&at) || at.contains(name));
            if !touched && json::at(to, &place) != Some(leaf) {
                return Verdict::Broken(format!("`{at}` {says}, and no change names it"));
            }
        }
    }
    Verdict::Holds
}

/// The places an operation names.
fn places(operation: &Operation) -> Vec<&Pointer> {
    match operation {
        Operation::Move { from, path } => vec![from, path],
        other => vec![other.path()],
    }
}
