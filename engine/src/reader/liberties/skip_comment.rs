//! A comment between tokens.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.skip-comment",
    allows: "A comment (`//`, `/* */` or `#`) stands between tokens and is skipped.",
    note: "Send JSON without comments.",
    examples: &[
        ("{\"a\": 1, // the first\n \"b\": 2}", r#"{"a":1,"b":2}"#),
        ("[1, /* two */ 2]", "[1,2]"),
        ("{\"a\": 1 # one\n}", r#"{"a":1}"#),
    ],
    truncation: false,
};
