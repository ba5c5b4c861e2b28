//! What a sentence mentions is no leak.

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::case::draw::OTHER_DAMAGE;
use crate::leaks::oracle::around::{is_surely_mentioned, without};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "mentions_stay",
    says: "What stands between the words of a line, or is announced as an example, is never removed.",
    kills: &["mentions-are-leaks"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return kept(run);
    }
    let mut verdict = Verdict::Vacuous;
    for (part, text) in run.case.texts.iter().enumerate() {
        let removed = run.removed(part);
        let rest = without(text, run.open(part).iter());
        if let Some(range) = removed.iter().find(|range| is_surely_mentioned(&rest, range)) {
            return Verdict::Broken(format!("{range:?} of text {part} is only mentioned"));
        }
        if !removed.is_empty() || run.leaks(part).any(|leak| is_surely_mentioned(text, &leak.range))
        {
            verdict = Verdict::Holds;
        }
    }
    verdict
}

/// A block in a sentence still stands, and so does a sentence that names a marker.
fn kept(run: &Run<'_>) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for block in run.printed() {
        let ends = |other: &Block| other.calm && other.spelling == "canonical";
        let settled = run.printed_in(block.part).all(|other| other == block || ends(other));
        let named = block.damage == OTHER_DAMAGE[0];
        let mentioned = || block.calm && run.surely_mentions(block);
        if !settled || !named && !mentioned() {
            continue;
        }
        if !run.keeps(block.part, &block.range) {
            let (range, part) = (&block.range, block.part);
            return Verdict::Broken(format!(
                "{range:?} of text {part} is only mentioned, and gone"
            ));
        }
        verdict = Verdict::Holds;
    }
    verdict
}
