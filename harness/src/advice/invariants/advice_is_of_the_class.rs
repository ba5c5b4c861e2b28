//! A note advises what its class needs.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use engine::advisor::CLASSES;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "advice_is_of_the_class",
    says: "A note holds the advice that stands in the row of its class, or of a finished compaction.",
    kills: &["quota-advised-as-throttle"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (note, due) in run.pairs() {
        let row = note.class.and_then(|(id, _)| CLASSES.iter().find(|row| row.id == id));
        let Some(row) = row else { continue };
        applies = true;
        let summed_up = due.done && row.id == "overflow";
        let right = match summed_up {
            true => note.advice.starts_with("Go on with the same task."),
            false if due.switched => note.advice == row.advice_switched,
            false => note.advice == row.advice,
        };
        if !right || !note.text.contains(&note.advice) {
            return Verdict::Broken(format!("{}: {}", row.id, note.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
