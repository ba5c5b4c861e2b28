//! What a sentence mentions is no leak.

use super::{Invariant, Verdict};
use crate::leaks::oracle::around::{is_surely_mentioned, without};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "mentions_stay",
    says: "What stands between the words of a line, or is announced as an example, is never removed.",
    kills: &["mentions-are-leaks"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
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
