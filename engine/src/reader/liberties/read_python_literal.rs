//! Python literals.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.read-python-literal",
    allows: "`True`, `False` or `None` stands as a value and is read as `true`, `false` or `null`.",
    note: "Write true, false and null in lower case.",
    examples: &[
        (r#"{"wrap": True, "font": None}"#, r#"{"wrap":true,"font":null}"#),
        ("[False]", "[false]"),
    ],
    truncation: false,
};
