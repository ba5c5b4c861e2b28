//! A backslash that starts no JSON escape.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.keep-invalid-escape",
    allows: "A string holds a backslash that starts no JSON escape, so all its single backslashes are taken literally.",
    note: "Write every backslash inside a string as two.",
    examples: &[
        (r#"{"path":"C:\bin\app.exe"}"#, r#"{"path":"C:\\bin\\app.exe"}"#),
        (r#"{"pattern":"\d+"}"#, r#"{"pattern":"\\d+"}"#),
        (r#"["dir C:\Dev"]"#, r#"["dir C:\\Dev"]"#),
        (r#"{"path":"C:\users\new\x"}"#, r#"{"path":"C:\\users\\new\\x"}"#),
    ],
    truncation: false,
};
