//! Missing outer closers.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.close-containers",
    allows: "The text ends after a complete value without its last closing brackets, which are added.",
    note: "Close every bracket that you open.",
    examples: &[
        (r#"{"a":"x""#, r#"{"a":"x"}"#),
        (r#"{"a":[{"b":true}"#, r#"{"a":[{"b":true}]}"#),
        ("[1 ", "[1]"),
    ],
    truncation: true,
};
