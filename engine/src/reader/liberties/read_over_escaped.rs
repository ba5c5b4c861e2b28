//! Escaped quotes as delimiters.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.read-over-escaped",
    allows: "Structural quotes are escaped: around single strings, or throughout a text that is the inside of a JSON string.",
    note: "Do not escape the quotes around keys and strings.",
    examples: &[
        (r#"{"query": \"foo\"}"#, r#"{"query":"foo"}"#),
        (r#"{\"city\": \"Oslo\", \"n\": [1, \"a\\nb\"]}"#, r#"{"city":"Oslo","n":[1,"a\nb"]}"#),
    ],
    truncation: false,
};
