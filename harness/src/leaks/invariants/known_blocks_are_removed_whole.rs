//! Nothing is left of a block that goes.

use engine::grammar::Mode;

use super::closed_gates_hold_calls_back::is_admitted;
use super::{Invariant, Verdict};
use crate::leaks::case::{Block, Intent};
use crate::leaks::oracle::around::{may_be_mentioned, without};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "known_blocks_are_removed_whole",
    says: "In the modes strip and recover nothing is left of a sound block of known tools outside code, unless a sentence may mention it.",
    kills: &["forget-a-family"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let setting = &run.case.setting;
    let strips = setting.effective_mode() >= Mode::Strip;
    if !strips || run.case.intent != Intent::All || run.is_left_alone() {
        return Verdict::Vacuous;
    }
    let mut verdict = Verdict::Vacuous;
    for block in run.case.blocks.iter().filter(|block| !block.shown && block.is_known()) {
        // Calls of one notation in a row may be one block, which goes as a whole or not at all.
        let in_a_row = |other: &Block| {
            other.part == block.part && other.family == block.family && !other.is_known()
        };
        if !is_admitted(block, setting.model.as_deref()) || run.case.blocks.iter().any(in_a_row) {
            continue;
        }
        let mut left = block.range.clone();
        let text = &run.case.texts[block.part];
        if !run.tells() {
            let again = |other: &Block| {
                run.case.texts[other.part].get(other.range.clone()) == text.get(block.range.clone())
            };
            let shown = run.case.blocks.iter().any(|other| other.shown && again(other));
            if shown || may_be_mentioned(&run.around(block.part), &block.range) {
                continue;
            }
            if run.keeps(block.part, &block.range) {
                return Verdict::Broken(format!("{:?} is left", block.range));
            }
            verdict = Verdict::Holds;
            continue;
        }
        let removed = run.removed(block.part);
        let rest = without(text, removed.iter().chain([&block.range]));
        if may_be_mentioned(&rest, &block.range) {
            continue;
        }
        for range in removed {
            let between = text.get(left.start..range.start.max(left.start)).unwrap_or_default();
            if range.end > left.start && between.trim().is_empty() {
                left.start = range.end;
            }
        }
        if !text.get(left.clone()).unwrap_or_default().trim().is_empty() {
            return Verdict::Broken(format!("{left:?} of {:?} is left", block.range));
        }
        verdict = Verdict::Holds;
    }
    verdict
}
