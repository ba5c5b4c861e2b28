//! Prose around an object, as models write it when they talk about a call.

use crate::source::{Choose, Source};

/// Sentences that may stand before an object: no brackets, no quotes, a colon and a newline at the end.
pub const BEFORE: &[&str] = &[
    "Here are the arguments:\n",
    "I will call the tool with:\n\n",
    "Let me look at that file first. Arguments:\n",
    "Sure:\n",
];

/// Sentences that may stand after an object: a newline first, no brackets, no quotes.
pub const AFTER: &[&str] = &[
    "\nNow I will look at the result.",
    "\n\nThis reads the file and shows its content.",
    "\nDone.",
];

/// A message with `object` somewhere in it; choice 0 is the object alone.
pub fn around(source: &mut dyn Source, object: &str) -> String {
    match source.below(6) {
        0 => object.to_owned(),
        1 => format!("{}{object}", source.pick(BEFORE)),
        2 => format!("{object}{}", source.pick(AFTER)),
        3 => format!("{}```json\n{object}\n```{}", source.pick(BEFORE), source.pick(AFTER)),
        4 => format!("The value `{object}` is what I would send, but I am not sure."),
        _ => format!("1. first {object}\n2. then {object}\n> quoted {object}\n\n    {object}\n"),
    }
}
