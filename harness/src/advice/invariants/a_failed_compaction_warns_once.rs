//! The host may report one failed compaction twice; the user hears of it once.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use crate::transcript::What;
use engine::advisor::HostEvent;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "a_failed_compaction_warns_once",
    says: "Between two warnings an answer was heard, or another session began.",
    kills: &["failure-told-twice"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (mut warned, mut applies) = (false, false);
    for (step, answer) in run.case.steps.iter().zip(&run.answers) {
        if let What::Event { event: HostEvent::AssistantEnd(_) | HostEvent::Reset, .. } = &step.what
        {
            warned = false;
        }
        if answer.warning.is_some() {
            if warned {
                return Verdict::Broken("a second warning about one answer".to_owned());
            }
            (warned, applies) = (true, true);
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
