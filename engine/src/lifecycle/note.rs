//! What the model reads of a repair: one bounded block that names fields and never values.

use std::fmt::Write as _;

use crate::refusal::clip;
use crate::{CallOutcome, Change, Outcome};

/// How the block opens.
pub const NOTE_OPEN: &str = "<repair_note>";

/// How the block closes; nothing inside a block can spell it.
pub const NOTE_CLOSE: &str = "</repair_note>";

/// The most corrections a note lists; the others are counted.
const LINES_MAX: usize = 8;

/// The most characters of one correction.
const LINE_CHARS_MAX: usize = 240;

/// The most characters of a whole note.
pub const NOTE_CHARS_MAX: usize = LINES_MAX * (LINE_CHARS_MAX + 4) + 160;

/// What the block says first.
const INTRO: &str = "This call was corrected before it ran. Next time:";

/// The rule whose correction the host itself asks for, under strict sampling.
const DROP_NULL: &str = "schema.drop-null";

/// What the host asked the model for, so that the note does not blame the model for it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Expectations {
    /// The provider got a strict schema in which optional fields are required and may be null.
    pub nulls_for_optionals: bool,
}

/// What was done to one call: the rules, and a line for the model about each.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Feedback {
    rules: Vec<&'static str>,
    lines: Vec<String>,
}

impl Feedback {
    /// What the model should hear about `changes`; `None` if that is nothing.
    pub fn from_changes<'c>(
        changes: impl IntoIterator<Item = &'c Change>,
        expectations: Expectations,
    ) -> Option<Self> {
        let mut feedback = Self::default();
        for change in changes {
            let asked_for = change.rule == DROP_NULL && expectations.nulls_for_optionals;
            if !asked_for {
                feedback.add(change.rule, &change.note);
            }
        }
        (!feedback.rules.is_empty()).then_some(feedback)
    }

    /// What the model should hear about a whole call; `None` for one that was left alone, and for
    /// one that was refused: the refusal speaks for itself.
    pub fn from_call(call: &CallOutcome<'_>, expectations: Expectations) -> Option<Self> {
        let changes = match &call.outcome {
            Outcome::Unrepairable(_) => return None,
            Outcome::Repaired { changes, .. } => changes.as_slice(),
            Outcome::Valid(_) | Outcome::Deferred(_) => &[],
        };
        Self::from_changes(call.name_changes.iter().chain(changes), expectations)
    }

    /// What the model should hear about a call that stood in its text, in the notation `family`.
    pub fn promoted(tool: &str, family: &'static str) -> Self {
        let line = format!(
            "Ran the call of `{tool}` that stood in the text in {family} notation: call the tool itself, the text is not a call."
        );
        let mut feedback = Self::default();
        feedback.add("leak.promote", &line);
        feedback
    }

    /// The rules that fired, each once, in order; for the indicator.
    pub fn rules(&self) -> &[&'static str] {
        &self.rules
    }

    fn add(&mut self, rule: &'static str, line: &str) {
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
        let line = clean(line);
        if !line.is_empty() && !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// Adds what else was done to the same call.
    pub(super) fn join(slot: &mut Option<Self>, more: Option<Self>) {
        let Some(more) = more else { return };
        let held = slot.get_or_insert_default();
        for rule in more.rules {
            if !held.rules.contains(&rule) {
                held.rules.push(rule);
            }
        }
        for line in more.lines {
            if !held.lines.contains(&line) {
                held.lines.push(line);
            }
        }
    }

    /// The note: one block, at most [`NOTE_CHARS_MAX`] characters.
    pub fn note(&self) -> Note {
        let mut text = format!("{NOTE_OPEN}\n{INTRO}");
        for line in self.lines.iter().take(LINES_MAX) {
            let _ = write!(text, "\n- {line}");
        }
        let more = self.lines.len().saturating_sub(LINES_MAX);
        if more > 0 {
            let noun = if more == 1 { "correction" } else { "corrections" };
            let _ = write!(text, "\n- … and {more} more {noun} of the same call.");
        }
        let _ = write!(text, "\n{NOTE_CLOSE}");
        Note { text, rules: self.rules.clone() }
    }
}

/// What is attached to one result.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Note {
    /// One text block, to stand before the blocks of the result.
    pub text: String,
    /// The rules that fired; names only, fit for a session entry.
    pub rules: Vec<&'static str>,
}

/// One line that can neither end the block nor hide anything.
///
/// A line may name a key that the model made up, so angle brackets, line ends, control characters
/// and characters that nobody sees are all taken away.
fn clean(line: &str) -> String {
    let cut = clip(line, LINE_CHARS_MAX);
    let mut shown: String = cut
        .chars()
        .map(|character| match character {
            '<' => '‹',
            '>' => '›',
            other if is_hidden(other) => ' ',
            other => other,
        })
        .collect();
    if cut.len() < line.len() {
        shown.push('…');
    }
    shown.trim().to_owned()
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
