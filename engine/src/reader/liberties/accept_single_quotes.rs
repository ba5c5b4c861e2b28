//! Single quotes as delimiters.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.accept-single-quotes",
    allows: "Strings are delimited by single quotes and read with the escapes a Python repr uses.",
    note: "Use double quotes around keys and strings.",
    examples: &[
        ("{'theme': 'dark'}", r#"{"theme":"dark"}"#),
        (r"['it\'s', 'caf\xe9', 'a\nb']", r#"["it's","café","a\nb"]"#),
    ],
    truncation: false,
};
