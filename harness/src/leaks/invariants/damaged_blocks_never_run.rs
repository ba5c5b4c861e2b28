//! Damage never runs.

use engine::grammar::{Action, FAMILIES, State};

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "damaged_blocks_never_run",
    says: "A block runs only if it is whole, in a spelling that its family lists.",
    kills: &["run-damaged-blocks"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for leak in run.treatment.leaks.iter().filter(|leak| leak.state != State::Whole) {
        if leak.action == Action::Promoted || !leak.spelling.is_empty() {
            let state = leak.state.name();
            return Verdict::Broken(format!("{:?} runs although it is {state}", leak.range));
        }
        verdict = Verdict::Holds;
    }
    for call in &run.treatment.calls {
        let family = FAMILIES.iter().find(|family| family.id == call.family);
        let mut spellings = family.into_iter().flat_map(|family| family.spellings);
        if !spellings.any(|row| row.id == call.spelling) {
            let says = format!("{} lists no spelling `{}`", call.family, call.spelling);
            return Verdict::Broken(says);
        }
    }
    verdict
}
