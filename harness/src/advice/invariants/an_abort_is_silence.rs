//! What the user stopped is not explained to the model.

use super::{Invariant, Verdict};
use crate::advice::case::standing;
use crate::advice::model::is_abort;
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::{Ending, HostEvent, Message, Note, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "an_abort_is_silence",
    says: "Between an abort and the next answer no compaction is told, and not the failure before it.",
    kills: &["abort-keeps-talking"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (mut aborted, mut failed, mut applies) = (false, None, false);
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        match &step.what {
            What::Event { event: HostEvent::Reset, .. } => (aborted, failed) = (false, None),
            What::Event { event: HostEvent::AssistantEnd(heard), .. } => {
                aborted = heard.ending == Ending::Aborted;
                if !aborted {
                    failed = Some(heard).filter(|heard| heard.ending == Ending::Error);
                }
            }
            What::Event { .. } => aborted |= is_abort(step),
            What::Request { messages, .. } if aborted => {
                applies = true;
                let silent = |note: &Note| match (note.kind, standing(messages)) {
                    (NoteKind::Compaction, _) => false,
                    (NoteKind::ProviderError, Some(Message::Assistant(last))) => {
                        Some(last) != failed
                    }
                    _ => true,
                };
                if let Some(note) = answer.notes.iter().find(|note| !silent(note)) {
                    return Verdict::Broken(format!("told after an abort: {}", note.text));
                }
            }
            What::Request { .. } => {}
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
