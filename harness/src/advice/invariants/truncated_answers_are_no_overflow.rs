//! An answer that is merely cut for length is no full context, whatever the host calls it.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::{Ending, HostEvent, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "truncated_answers_are_no_overflow",
    says: "Behind an answer that was cut after its first token no compaction is told, and nobody is warned.",
    kills: &["full-at-any-length"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (mut truncated, mut applies) = (false, false);
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        match &step.what {
            What::Event { event: HostEvent::AssistantEnd(heard), .. } => {
                truncated = heard.ending == Ending::Length
                    && heard.usage.is_some_and(|usage| usage.output > 0);
                applies |= truncated;
            }
            What::Event { event: HostEvent::Reset, .. } => truncated = false,
            _ => {}
        }
        let told = answer.notes.iter().any(|note| note.kind == NoteKind::Compaction);
        if truncated && (told || answer.warning.is_some()) {
            return Verdict::Broken("a truncated answer is told as an overflow".to_owned());
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
