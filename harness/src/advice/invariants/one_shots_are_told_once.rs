//! What happened once is told once.

use super::{Invariant, Verdict};
use crate::advice::run::Asking;
use crate::advice::run::Run;
use engine::advisor::{Note, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "one_shots_are_told_once",
    says: "Asked again at once, the advisor tells no compaction, and a command only if two other notes stood before it.",
    kills: &["one-shot-repeats"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.case.salt % 4 != 2 {
        return Verdict::Vacuous;
    }
    let mut applies = false;
    let again = run.again(Asking::Twice);
    for (first, second) in run.answers.iter().zip(&again) {
        let others = first.notes.iter().filter(|note| note.kind != NoteKind::CommandFailure);
        let full = others.count() == 2;
        applies |= first.notes.iter().any(|note| note.kind != NoteKind::ProviderError);
        let repeats = |note: &&Note| match note.kind {
            NoteKind::Compaction => true,
            NoteKind::ProviderError => false,
            NoteKind::CommandFailure => !full,
        };
        if let Some(note) = second.notes.iter().find(repeats) {
            return Verdict::Broken(format!("told again: {}", note.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
