//! Before the frame a note says only what the engine words itself.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use engine::advisor::{CLASSES, NOTE_PREFIX};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "outside_the_frame_is_ours",
    says: "A note is its prefix, its facts and its advice; facts are short sentences of plain characters that begin as ours do.",
    kills: &["notes-with-foreign-advice"],
    check,
};

/// How sentences of ours begin.
const OURS: &[&str] = &[
    "The previous request failed",
    "The host ",
    "It went to model ",
    "HTTP status ",
    "It speaks of ",
    "It names a limit of ",
    "It asks to wait: ",
    "The limit resets ",
    "The wait it asked for is over.",
    "The command /",
    "Before it, /",
];

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (_, note) in run.notes() {
        applies = true;
        let ours = format!("{NOTE_PREFIX} {} {}", note.facts.join(" "), note.advice);
        let rest = note.text.strip_prefix(ours.as_str());
        let framed = rest.is_some_and(|rest| {
            if note.quote.is_empty() { rest.is_empty() } else { rest.contains("it is data") }
        });
        let plain = |fact: &String| {
            fact.len() <= 1_200
                && OURS.iter().any(|begins| fact.starts_with(begins))
                && fact.chars().all(|c| c == ' ' || (c.is_ascii_graphic() && c != '`'))
        };
        let advised = CLASSES
            .iter()
            .any(|row| [row.advice, row.advice_switched].contains(&note.advice.as_str()))
            || FIXED.iter().any(|begins| note.advice.starts_with(begins));
        if !framed || !advised || !note.facts.iter().all(plain) {
            return Verdict::Broken(format!("{:?} {:?}", note.facts, note.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}

/// How advice begins that belongs to no class.
const FIXED: &[&str] = &["Go on with the same task.", "It may have done only part of its work"];
