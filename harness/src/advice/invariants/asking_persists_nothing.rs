//! A request leaves no trace but that one-shot notes are spent.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use crate::advice::run::{Answer, Asking};
use engine::advisor::{Note, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "asking_persists_nothing",
    says: "What a failed request gets as its note does not depend on how often, or whether, notes were asked for before.",
    kills: &["remember-what-was-quoted"],
    check,
};

/// The note on the failed request, at the last request; only where no compaction was told beside it.
///
/// Empty if there is none; `None` where it may be kept back.
fn failure(answers: &[Answer]) -> Option<Vec<&Note>> {
    let notes = &answers.last()?.notes;
    if notes.iter().any(|note| note.kind == NoteKind::Compaction) {
        return None;
    }
    Some(notes.iter().filter(|note| note.kind == NoteKind::ProviderError).take(1).collect())
}

fn check(run: &Run<'_>) -> Verdict {
    if run.case.salt.is_multiple_of(2) {
        return Verdict::Vacuous;
    }
    let (twice, last) = (run.again(Asking::Twice), run.again(Asking::Last));
    let mut seen = [&run.answers, &twice, &last].into_iter().filter_map(|answers| failure(answers));
    let Some(first) = seen.next() else { return Verdict::Vacuous };
    if first.is_empty() {
        return Verdict::Vacuous;
    }
    match seen.find(|other| *other != first) {
        Some(other) => Verdict::Broken(format!("{first:?}\nand {other:?}")),
        None => Verdict::Holds,
    }
}
