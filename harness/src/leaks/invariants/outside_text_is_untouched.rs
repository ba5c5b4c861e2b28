//! Only what a leak owns goes, and white space at its seam.

use std::iter;
use std::ops::Range;

use super::{Invariant, Verdict};
use crate::leaks::oracle::seam::joined;
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "outside_text_is_untouched",
    says: "What is left is the text without the removed ranges, joined by the seam rule as the harness reads it.",
    kills: &["seam-eats-neighbours", "seam-tidies-up"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return around(run);
    }
    let mut verdict = Verdict::Vacuous;
    for (part, (text, left)) in run.case.texts.iter().zip(&run.treatment.texts).enumerate() {
        let removed = run.removed(part);
        let kept = match left {
            None => removed.is_empty(),
            Some(left) => !removed.is_empty() && *left == joined(text, &removed),
        };
        if !kept {
            return Verdict::Broken(format!("{left:?} is left of {text:?} without {removed:?}"));
        }
        if left.is_some() {
            verdict = Verdict::Holds;
        }
    }
    verdict
}

/// What stands around blocks that are plain to see is left in its order, and nothing is added.
fn around(run: &Run<'_>) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for (part, text) in run.case.texts.iter().enumerate() {
        let Some(left) = &run.treatment.texts[part] else { continue };
        let mut letters = text.chars().filter(|letter| !letter.is_whitespace());
        let mut kept = left.chars().filter(|letter| !letter.is_whitespace());
        if let Some(letter) = kept.find(|letter| !letters.any(|it| it == *letter)) {
            return Verdict::Broken(format!("{letter:?} is none of the letters that were sent"));
        }
        let mut blocks: Vec<Range<usize>> =
            run.printed_in(part).map(|block| block.range.clone()).collect();
        blocks.sort_unstable_by_key(|range| range.start);
        let (mut from, mut rest) = (0, left.as_str());
        if run.printed_in(part).all(|block| block.calm) {
            for range in blocks.into_iter().chain(iter::once(text.len()..text.len())) {
                let piece = text.get(from..range.start).unwrap_or_default().trim();
                let Some(at) = rest.find(piece) else {
                    return Verdict::Broken(format!("{piece:?} is not left as it was"));
                };
                rest = &rest[at + piece.len()..];
                from = range.end;
            }
        }
        verdict = Verdict::Holds;
    }
    verdict
}
