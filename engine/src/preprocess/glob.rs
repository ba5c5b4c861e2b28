//! Unwraps a degenerate auto-link in a glob; brackets of a glob stay.

use super::link::unwrap_links;
use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "glob",
    rule: "preprocess.clean-glob",
    fires: "a glob holds a link to itself",
    note: "Unwrapped a link in `{field}`: send the bare pattern.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"glob":{"type":"string"}}}"#,
        entry: r#"{"kind":"glob","selector":"/glob"}"#,
        before: r#"{"glob":"src/[main.rs](http://main.rs)"}"#,
        after: r#"{"glob":"src/main.rs"}"#,
    },
    apply,
};

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let unwrapped = spot.text().and_then(unwrap_links);
    Ok(unwrapped.map_or_else(Vec::new, |glob| spot.replace(glob)))
}
