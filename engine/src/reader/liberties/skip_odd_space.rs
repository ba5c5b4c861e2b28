//! White space between tokens that JSON does not count as such.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.skip-odd-space",
    allows: "A byte order mark, a no-break, wide or zero-width space, or a line separator stands between tokens and counts as white space.",
    note: "Put only plain spaces and line breaks between tokens.",
    examples: &[("\u{feff}{\"city\":\u{a0}\"Oslo\"}", r#"{"city":"Oslo"}"#)],
    truncation: false,
};
