//! A markdown fence around one value.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.unwrap-fence",
    allows: "One object or array stands in a markdown code fence, which is taken off.",
    note: "Send the JSON without a code fence.",
    examples: &[
        ("```json\n{\"city\":\"paris\"}\n```", r#"{"city":"paris"}"#),
        ("~~~\n[1]\n~~~", "[1]"),
    ],
    truncation: false,
};
