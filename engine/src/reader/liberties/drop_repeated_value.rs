//! The same value again.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.drop-repeated-value",
    allows: "The same object or array is sent again right after itself and read once.",
    note: "Send the value once.",
    examples: &[
        (r#"{"a":1}{"a":1}"#, r#"{"a":1}"#),
        ("{\"a\":1}\n{\"a\": 1}\n{\"a\":1}", r#"{"a":1}"#),
    ],
    truncation: false,
};
