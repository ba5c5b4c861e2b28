//! Text around one complete value.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.skip-surrounding-text",
    allows: "Text without JSON structure of its own stands before or after one object or array and is skipped.",
    note: "Send the JSON alone, without text around it.",
    examples: &[
        ("{\"path\": \"src/lib.rs\"}\nNow I will look at the result.", r#"{"path":"src/lib.rs"}"#),
        (r#"Here are the arguments: {"a":1}"#, r#"{"a":1}"#),
        (r#"<tool_call>{"a":1}</tool_call>"#, r#"{"a":1}"#),
        (r#"json {"a":1}<|im_end|>"#, r#"{"a":1}"#),
    ],
    truncation: false,
};
