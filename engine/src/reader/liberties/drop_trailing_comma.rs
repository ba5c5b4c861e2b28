//! A comma before a closer.

use super::Liberty;

pub(in crate::reader) const LIBERTY: Liberty = Liberty {
    id: "read.drop-trailing-comma",
    allows: "A comma stands before a closing bracket and is dropped.",
    note: "Put no comma after the last item.",
    examples: &[
        (
            r#"{"seconds": 300, "label": "tea, [a,] }", }"#,
            r#"{"seconds":300,"label":"tea, [a,] }"}"#,
        ),
        ("[1,2,]", "[1,2]"),
    ],
    truncation: false,
};
