//! Typographic quotes as delimiters.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.accept-typographic-quotes",
    allows: "Strings are delimited by typographic quotes on both sides.",
    note: "Use straight double quotes around keys and strings.",
    examples: &[
        ("{“path”: “docs/a.md”}", r#"{"path":"docs/a.md"}"#),
        ("[„a“, ‘b’]", r#"["a","b"]"#),
    ],
    truncation: false,
};
