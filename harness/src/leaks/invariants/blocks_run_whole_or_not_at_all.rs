//! Half of a block never runs.

use engine::grammar::{Action, Handled, Promoted};

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::run::Run;
use crate::leaks::seen::is_unbound;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "blocks_run_whole_or_not_at_all",
    says: "All calls of a block run, or none.",
    kills: &["run-refused-calls"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return counted(run);
    }
    let mut verdict = Verdict::Vacuous;
    for block in run.case.blocks.iter().filter(|block| !block.shown && block.is_sound()) {
        let owns = |leak: &&Handled| {
            leak.range.start <= block.range.start && block.range.end <= leak.range.end
        };
        let Some(leak) = run.leaks(block.part).find(owns) else { continue };
        let inside = |other: &&Block| {
            other.part == block.part
                && other.range.start < leak.range.end
                && leak.range.start < other.range.end
        };
        if run.case.blocks.iter().filter(inside).count() > 1 {
            // Some formats have no bounds between calls: blocks side by side are one.
            continue;
        }
        let here = |call: &&Promoted| call.part == block.part && call.range == leak.range;
        let count = run.treatment.calls.iter().filter(here).count();
        let promoted = leak.action == Action::Promoted;
        if promoted != (count == block.calls.len()) || !promoted && count > 0 {
            return Verdict::Broken(format!("{count} of {} calls run", block.calls.len()));
        }
        verdict = Verdict::Holds;
    }
    verdict
}

/// Where one block alone prints calls, as many run as it prints.
fn counted(run: &Run<'_>) -> Verdict {
    let printers: Vec<&Block> = run.printed().filter(|block| !block.calls.is_empty()).collect();
    let [block] = printers.as_slice() else { return Verdict::Vacuous };
    let (count, printed) = (run.treatment.calls.len(), block.calls.len());
    let own = |call: &Promoted| run.printers(call) == [*block];
    if count == 0 || !block.calm || is_unbound(block) || !run.treatment.calls.iter().all(own) {
        return Verdict::Vacuous;
    }
    Verdict::require(count == printed, || format!("{count} of {printed} calls run"))
}
