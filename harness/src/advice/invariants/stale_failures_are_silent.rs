//! An old failure explains nothing about the next request.

use super::{Invariant, Verdict};
use crate::advice::case::standing;
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::{Ending, Message, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "stale_failures_are_silent",
    says: "A failure older than fifteen minutes by the message's own time gets no note.",
    kills: &["never-stale"],
    check,
};

const STALE_MS: u64 = 15 * 60 * 1000;

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        let What::Request { messages, .. } = &step.what else { continue };
        let Some(Message::Assistant(last)) = standing(messages) else { continue };
        let age = step.at_ms.saturating_sub(last.at_ms);
        if last.ending != Ending::Error || last.at_ms == 0 || age <= STALE_MS {
            continue;
        }
        applies = true;
        if answer.notes.iter().any(|note| note.kind == NoteKind::ProviderError) {
            return Verdict::Broken(format!("a failure of {age} ms ago is told"));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
