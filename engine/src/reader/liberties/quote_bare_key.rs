//! Unquoted keys.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.quote-bare-key",
    allows: "A key is an identifier without quotes and is read as if it had them.",
    note: "Put double quotes around keys.",
    examples: &[(r#"{path: "x"}"#, r#"{"path":"x"}"#), ("{a: 1, $b_2: 2}", r#"{"a":1,"$b_2":2}"#)],
    truncation: false,
};
