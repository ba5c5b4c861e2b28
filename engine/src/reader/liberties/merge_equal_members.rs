//! One key twice, with equal values.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.merge-equal-members",
    allows: "One key is given twice with equal values and read once.",
    note: "Give every key once.",
    examples: &[(r#"{"a":[1],"b":2,"a":[1]}"#, r#"{"a":[1],"b":2}"#)],
    truncation: false,
};
