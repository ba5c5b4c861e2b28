//! A raw control character in a string.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.keep-raw-control",
    allows: "A control character, such as a line break, stands unescaped in a string and is kept.",
    note: "Escape control characters inside strings, such as \\n for a line break.",
    examples: &[
        ("{\"command\":\"echo a\necho b\"}", r#"{"command":"echo a\necho b"}"#),
        ("[\"a\tb\"]", r#"["a\tb"]"#),
    ],
    truncation: false,
};
