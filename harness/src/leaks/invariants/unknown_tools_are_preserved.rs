//! What may be data stays.

use engine::grammar::UnknownTools;

use super::{Invariant, Verdict};
use crate::leaks::case::Call;
use crate::leaks::run::Run;
use crate::leaks::tools;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "unknown_tools_are_preserved",
    says: "Under the policy preserve a sound block of unknown tools, in its family's own spelling, stays as it is.",
    kills: &["strip-unknown-tools"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let strips = run.case.setting.unknown == UnknownTools::Strip;
    if strips || !run.case.blocks.iter().all(|block| block.calm || block.shown) {
        return Verdict::Vacuous;
    }
    let mut verdict = Verdict::Vacuous;
    for block in &run.case.blocks {
        let strange = |call: &Call| tools::STRANGERS.contains(&call.name.as_str());
        if block.spelling != "canonical"
            || block.calls.is_empty()
            || !block.calls.iter().all(strange)
        {
            continue;
        }
        let text = &run.case.texts[block.part][block.range.clone()];
        if !run.left()[block.part].contains(text) {
            return Verdict::Broken(format!("a block of {} is gone", block.calls[0].name));
        }
        verdict = Verdict::Holds;
    }
    verdict
}
