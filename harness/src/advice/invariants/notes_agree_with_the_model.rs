//! Which notes and warnings come is foreseen by a model that is written from the facts, not from the engine.

use super::{Invariant, Verdict};
use crate::advice::model::consequence;
use crate::advice::run::Run;
use engine::advisor::NoteKind;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "notes_agree_with_the_model",
    says: "Every request gets the notes, and every event the warning, that the model foresees, each with the class that a careful reader gives.",
    kills: &["full-at-any-length", "overflow-before-throttle"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    for (at, (answer, due)) in run.answers.iter().zip(run.foreseen()).enumerate() {
        let step = at + 1;
        if answer.warning.is_some() != due.warns {
            return Verdict::Broken(format!("step {step}: a warning was due: {}", due.warns));
        }
        let given: Vec<NoteKind> = answer.notes.iter().map(|note| note.kind).collect();
        let wanted: Vec<NoteKind> = due.notes.iter().map(|note| note.kind).collect();
        if given != wanted {
            return Verdict::Broken(format!("step {step}: {wanted:?} were due, {given:?} came"));
        }
    }
    for (note, due) in run.pairs() {
        let class = note.class.map(|(class, _)| class);
        let fits = match (&due.meaning, class) {
            (None, None) => true,
            (Some(meaning), Some(class)) if meaning.exact => meaning.class == class,
            (Some(meaning), Some(class)) => consequence(&meaning.class) == consequence(class),
            _ => false,
        };
        if !fits {
            return Verdict::Broken(format!("{:?} was due: {}", due.meaning, note.text));
        }
    }
    Verdict::Holds
}
