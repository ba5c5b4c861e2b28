//! Why a name stands for no registered tool, in words the model can act on.

use std::fmt;

/// Names listed in a message before the rest is only counted.
const LISTED_MAX: usize = 30;

/// No registered tool is meant for certain.
///
/// The messages name registered tools only, never a part of what the model sent.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// The name is empty or white space.
    Empty {
        /// The registered names.
        available: Vec<String>,
    },
    /// No rule leads to a registered name.
    Unknown {
        /// The registered names.
        available: Vec<String>,
    },
    /// Several registered names differ from the name in case only.
    Ambiguous {
        /// The registered names it could be.
        candidates: Vec<String>,
    },
    /// A call was written into the name, and it is incomplete or damaged.
    CutOff,
    /// A call was written into the name, and its arguments contradict each other.
    Conflict,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { available } => {
                f.write_str("The call has no tool name. ")?;
                write_available(f, available)
            }
            Self::Unknown { available } => {
                f.write_str("No tool has this name. ")?;
                write_available(f, available)
            }
            Self::Ambiguous { candidates } => {
                f.write_str("Several tools have this name in different case. Send one exactly as written here: ")?;
                write_list(f, candidates)
            }
            Self::CutOff => f.write_str(
                "The call was written into the tool name, and it is cut off or damaged there. \
                 Send it again: only the name as the name, and the complete arguments as the arguments.",
            ),
            Self::Conflict => f.write_str(
                "The call was written into the tool name with contradicting arguments. \
                 Send it again: only the name as the name, and each argument once in the arguments.",
            ),
        }
    }
}

impl std::error::Error for NameError {}

fn write_available(f: &mut fmt::Formatter<'_>, available: &[String]) -> fmt::Result {
    if available.is_empty() {
        return f.write_str("No tools are available; answer without a call.");
    }
    f.write_str("Call one of the available tools by its exact name: ")?;
    write_list(f, available)
}

fn write_list(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    for (position, name) in names.iter().take(LISTED_MAX).enumerate() {
        let comma = if position == 0 { "" } else { ", " };
        write!(f, "{comma}`{name}`")?;
    }
    match names.len().saturating_sub(LISTED_MAX) {
        0 => f.write_str("."),
        more => write!(f, " and {more} more."),
    }
}
