//! What is odd about a settings file, in sentences that say what to do.

use std::fmt;

use crate::refusal::clip;

/// Something about the file that its owner may want to mend. The settings work all the same.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// The text is not a JSON object; defaults are used, and it is never written over.
    Unreadable {
        /// Why, with line and column.
        says: String,
    },
    /// A setting has a value it may not have; its default is used, and the text kept.
    Value {
        /// The member.
        key: &'static str,
        /// What stands there, clipped.
        got: String,
        /// What may stand there.
        accepts: &'static str,
        /// What is used instead.
        used: String,
    },
    /// A setting stands under an older name.
    OldName {
        /// The name in the file.
        name: &'static str,
        /// The name today.
        key: &'static str,
    },
    /// The file has an older shape; it was understood, and is rewritten with the next save.
    OldShape {
        /// The row of [`super::MIGRATIONS`].
        id: &'static str,
        /// The shape.
        says: &'static str,
    },
    /// There is no such setting; said of a change that was asked for, never of a file.
    NoKey {
        /// The name as given, clipped.
        name: String,
    },
    /// A member stands more than once; the last counts.
    Repeated {
        /// The member, clipped.
        name: String,
    },
}

/// What an unreadable text costs, and how to go on.
const MEND: &str = "defaults are used; mend the file, or move it away and save again";

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { says } => write!(out, "the settings cannot be read: {says}; {MEND}"),
            Self::Value { key, got, accepts, used } => {
                write!(out, "`{key}` is {got}; write {accepts}; until then it is {used}")
            }
            Self::OldName { name, key } => {
                write!(out, "`{name}` is called `{key}` now; it was read")
            }
            Self::OldShape { says, .. } => {
                write!(out, "{says} was understood; the next save writes it as it is today")
            }
            Self::NoKey { name } => {
                let names: Vec<&str> = super::KEYS.iter().map(|key| key.name).collect();
                write!(out, "`{name}` is no setting; there are {}", names.join(", "))
            }
            Self::Repeated { name } => {
                write!(
                    out,
                    "`{name}` stands more than once; the last one counts, remove the others"
                )
            }
        }
    }
}

/// The file cannot be saved without losing what stands in it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SaveError {
    /// Why it cannot be read.
    pub says: String,
}

impl fmt::Display for SaveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { says } = self;
        write!(out, "nothing was saved, because the settings cannot be read: {says}; {MEND}")
    }
}

impl std::error::Error for SaveError {}

/// Something of the file as one short line.
pub(super) fn shown(text: &str) -> String {
    let cut = clip(text, 60);
    let mut line: String =
        cut.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    if cut.len() < text.len() {
        line.push('…');
    }
    line
}
