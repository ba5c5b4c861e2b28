//! Only what a leak owns goes, and white space at its seam.

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
