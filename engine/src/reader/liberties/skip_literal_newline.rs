//! Spelled-out white space between tokens.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.skip-literal-newline",
    allows: "The two characters `\\n`, `\\t` or `\\r` stand between tokens and count as white space.",
    note: "Put real line breaks, or none, between tokens.",
    examples: &[(r#"{"view_range": \n[10, 20]\n\n}"#, r#"{"view_range":[10,20]}"#)],
    truncation: false,
};
