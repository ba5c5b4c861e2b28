//! A failure behind which something went well is no longer worth a note.

use super::{Invariant, Verdict};
use crate::advice::case::standing;
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::{Ending, Message, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "success_hides_failure",
    says: "A note on a failed request comes only if the last answer in the context, with no summary behind it, is that failure.",
    kills: &["scan-past-success"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        let What::Request { messages, .. } = &step.what else { continue };
        let failed = |message: &Message| matches!(message, Message::Assistant(answer) if answer.ending == Ending::Error);
        if standing(messages).is_some_and(failed) {
            continue;
        }
        applies |= messages.iter().any(failed);
        if answer.notes.iter().any(|note| note.kind == NoteKind::ProviderError) {
            return Verdict::Broken("a failure that nothing ends with is told".to_owned());
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
