//! Advice about one model is no advice about another.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use engine::advisor::CLASSES;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "a_switch_softens",
    says: "Where another model is asked than the one that failed, the note says so and gives the softer advice; else it does not.",
    kills: &["switch-ignored"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (note, due) in run.pairs() {
        let says = note.facts.iter().any(|fact| fact.contains("; the model is now "));
        if says != due.switched {
            return Verdict::Broken(format!("switched: {}, but {}", due.switched, note.text));
        }
        let row = note.class.and_then(|(id, _)| CLASSES.iter().find(|row| row.id == id));
        let Some(row) = row.filter(|_| due.switched) else { continue };
        applies = true;
        let summed_up = due.done && row.id == "overflow";
        if note.advice != row.advice_switched && !summed_up {
            return Verdict::Broken(format!("not softened: {}", note.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
