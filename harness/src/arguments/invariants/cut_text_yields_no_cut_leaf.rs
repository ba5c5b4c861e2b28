//! A text that was cut never yields a piece of a value.

use super::{Invariant, Verdict};
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::generate::hostile::boundary;
use crate::json::{self, Spacing};
use crate::malform::Form;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "cut_text_yields_no_cut_leaf",
    says: "For every cut of a valid argument text: refused, or every leaf of the result is a whole leaf of the original.",
    kills: &["complete-cut-strings", "complete-cut-numbers"],
    check,
};

/// Cuts tried on one case.
const CUTS: u32 = 3;

fn check(run: &Run<'_>) -> Verdict {
    let original = &run.case.call.original;
    if !original.is_object() || run.case.hook {
        return Verdict::Vacuous;
    }
    let spacing = if run.case.salt.is_multiple_of(2) { Spacing::Dense } else { Spacing::Lines };
    let text = json::render(original, spacing);
    for cut in 0..CUTS {
        // INVARIANT: the multiplier is odd, so that the cuts of many cases fall everywhere.
        let at = run.case.salt.wrapping_mul(2_654_435_761).wrapping_add(cut * 7_919) as usize;
        let prefix = &text[..boundary(&text, 1 + at % (text.len() - 1))];
        let answer = run.ask(&Form::Text(prefix.to_owned()));
        let kept = match &answer {
            Answer::Refused(_) => continue,
            Answer::Repaired { args, .. } => args.clone(),
            Answer::Valid { .. } | Answer::Deferred { .. } => {
                return Verdict::Broken(format!("the piece `{prefix}` is {}", answer.name()));
            }
        };
        for (place, leaf) in json::leaves(&kept) {
            if json::at(original, &place) != Some(leaf) {
                return Verdict::Broken(format!("the piece `{prefix}` gave {leaf}"));
            }
        }
    }
    Verdict::Holds
}
