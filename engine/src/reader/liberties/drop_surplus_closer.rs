//! Closers after a complete value.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.drop-surplus-closer",
    allows: "Closing brackets follow the complete value and are dropped.",
    note: "Close every bracket exactly once.",
    examples: &[(r#"{"city": "Paris"}}"#, r#"{"city":"Paris"}"#), ("[1]\n]}", "[1]")],
    truncation: false,
};
