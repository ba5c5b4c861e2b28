//! A compaction that the user or a threshold began says nothing about a failure.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::{CompactReason, HostEvent, NoteKind};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "only_overflow_compactions_are_told",
    says: "A compaction by hand or by threshold gives no warning and, where it is the last that ended, no note.",
    kills: &["tell-every-compaction"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (mut other, mut applies) = (false, false);
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        let told = answer.notes.iter().any(|note| note.kind == NoteKind::Compaction);
        match &step.what {
            What::Event { event: HostEvent::Compacted { reason, .. }, .. } => {
                other = *reason != CompactReason::Overflow;
                applies |= other;
            }
            What::Event { event: HostEvent::CompactFailed { reason, .. }, .. }
                if *reason != CompactReason::Overflow =>
            {
                applies = true;
                if answer.warning.is_some() {
                    return Verdict::Broken(format!(
                        "{reason:?} compaction failed, with a warning"
                    ));
                }
            }
            What::Event { event: HostEvent::AssistantEnd(_) | HostEvent::Reset, .. } => {
                other = false;
            }
            What::Request { .. } if other && told => {
                return Verdict::Broken("a compaction is told that was for no overflow".to_owned());
            }
            _ => {}
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
