//! A note costs a bounded part of the context, whatever failed.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "provider_text_is_bounded",
    says: "A quoted text has at most 600 characters and a sign for the cut; a note or warning has not much more.",
    kills: &["quote-everything"],
    check,
};

const QUOTE_MAX: usize = 601;
/// Facts, advice, names of commands and fences of up to the length of a quote.
const NOTE_MAX: usize = 4 * QUOTE_MAX + 600;

fn check(run: &Run<'_>) -> Verdict {
    let long = |text: &str, most: usize| text.chars().nth(most).is_some();
    let mut applies = false;
    for (_, note) in run.notes() {
        applies = true;
        if long(&note.quote, QUOTE_MAX) || long(&note.text, NOTE_MAX) {
            let (quoted, all) = (note.quote.len(), note.text.len());
            return Verdict::Broken(format!("a note of {all} bytes, {quoted} of them quoted"));
        }
    }
    let mut warnings = run.answers.iter().filter_map(|answer| answer.warning.as_ref());
    if let Some(warning) = warnings.find(|warning| long(&warning.text, QUOTE_MAX + 200)) {
        return Verdict::Broken(format!("a warning of {} bytes", warning.text.len()));
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
