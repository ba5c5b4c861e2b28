//! Prose is prose.

use engine::grammar::FAMILIES;

use super::{Invariant, Verdict};
use crate::leaks::case::values::holds_marker;
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "prose_without_markers_is_untouched",
    says: "A message without any marker comes back as it is, with nothing found.",
    kills: &["calls-in-prose"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let texts = &run.case.texts;
    if texts.iter().any(|text| holds_marker(text) || may_be_cut(text) || begins_bare(text)) {
        return Verdict::Vacuous;
    }
    let kept = run.treatment.leaks.is_empty() && !run.treatment.changes_message();
    Verdict::require(kept, || format!("{:?} is found in prose", run.treatment.leaks))
}

/// True if the text may end within a marker: one begins near its end.
fn may_be_cut(text: &str) -> bool {
    let inside = FAMILIES.iter().filter(|family| !family.whole_message);
    let mut markers = inside.flat_map(|family| family.openers.iter().chain(family.closers));
    let tail = text.trim_end();
    markers.any(|marker| {
        let head: String = marker.chars().take(4).collect();
        tail.rfind(&head).is_some_and(|at| marker.starts_with(&tail[at..]))
    })
}

fn begins_bare(text: &str) -> bool {
    let bare = FAMILIES.iter().filter(|family| family.whole_message);
    let mut openers = bare.flat_map(|family| family.openers);
    openers.any(|opener| text.trim_start().starts_with(opener))
}
