//! What is shown as code or quoted stays.

use std::ops::Range;

use super::{Invariant, Verdict};
use crate::leaks::oracle::fences::{blanked, fences};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "code_is_never_touched",
    says: "Nothing is removed from code or quotations, by construction and by a naive reading of fences.",
    kills: &["backtick-fences-only", "inline-code-is-prose", "no-markdown"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return kept(run);
    }
    let mut verdict = Verdict::Vacuous;
    for (part, text) in run.case.texts.iter().enumerate() {
        let removed = run.removed(part);
        let code: Vec<Range<usize>> = run.case.protected(part).collect();
        let found: Vec<Range<usize>> = run.leaks(part).map(|leak| leak.range.clone()).collect();
        let read = fences(&blanked(text, found.iter())).unwrap_or_default();
        let touched =
            removed.iter().filter(|range| !run.ends_at_lone_closer(part, range)).find(|range| {
                read.iter().any(|fence| fence.contains(&range.start))
                    || code.iter().any(|code| range.start < code.end && code.start < range.end)
            });
        if let Some(range) = touched {
            return Verdict::Broken(format!("{range:?} of text {part} is code"));
        }
        if !code.is_empty() || !read.is_empty() {
            verdict = Verdict::Holds;
        }
    }
    verdict
}

/// What is code by construction still stands, and so do fences where nothing was printed outside code.
fn kept(run: &Run<'_>) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for (part, text) in run.case.texts.iter().enumerate() {
        let mut code: Vec<Range<usize>> = run.case.protected(part).collect();
        if run.printed_in(part).next().is_none() {
            code.extend(fences(text).unwrap_or_default());
        }
        if let Some(range) = code.iter().find(|range| !run.keeps(part, range)) {
            return Verdict::Broken(format!("{range:?} of text {part} is code, and gone"));
        }
        if !code.is_empty() {
            verdict = Verdict::Holds;
        }
    }
    verdict
}
