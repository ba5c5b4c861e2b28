//! No foreign text gets out of its frame.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "frame_cannot_be_closed",
    says: "A note is one line of ours and at most one frame: a fence, one line without invisible characters or marks of ours, the same fence.",
    kills: &["quote-raw"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (_, note) in run.notes() {
        let lines: Vec<&str> = note.text.split('\n').collect();
        let closed = match lines.as_slice() {
            [_] => note.quote.is_empty(),
            [_, open, inner, close] => {
                applies = true;
                let fence = open.len() >= 3 && open.chars().all(|c| c == '`');
                fence && open == close && !inner.contains(open) && !inner.contains(odd)
            }
            _ => false,
        };
        if !closed || note.text.to_lowercase().matches("pi-repair").count() != 1 {
            return Verdict::Broken(format!("{:?}", note.text));
        }
    }
    let warnings = run.answers.iter().filter_map(|answer| answer.warning.as_ref());
    if let Some(odd) = warnings.map(|warning| &warning.text).find(|text| text.contains(odd)) {
        return Verdict::Broken(format!("a warning with {odd:?}"));
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}

/// What nobody sees, or what ends a line.
fn odd(c: char) -> bool {
    c.is_control()
        || "\u{fffd}\u{200b}\u{200e}\u{202e}\u{2066}\u{feff}\u{2028}\u{2029}\u{85}\u{e0041}"
            .contains(c)
}
