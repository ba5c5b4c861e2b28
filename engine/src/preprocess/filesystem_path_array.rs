//! Cleans every path of a list of paths.

use serde_json::Value;

use super::filesystem_path::{Cleaned, clean};
use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "filesystem-path-array",
    rule: "preprocess.clean-paths",
    fires: "a path in a list is a link to itself, or its Windows separators were read as escapes",
    note: "Cleaned paths in `{field}`: send bare paths, with every backslash written as two.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"files":{"type":"array","items":{"type":"string"}}}}"#,
        entry: r#"{"kind":"filesystem-path-array","selector":"/files"}"#,
        before: r#"{"files":["a.md","[b.md](http://b.md)"]}"#,
        after: r#"{"files":["a.md","b.md"]}"#,
    },
    apply,
};

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(items) = spot.place.here.and_then(Value::as_array) else { return Ok(Vec::new()) };
    let mut operations = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = || spot.place.pointer().item(index);
        match item.as_str().map_or(Cleaned::Same, clean) {
            Cleaned::Same => {}
            Cleaned::Path(path) => {
                operations.push(Operation::Replace { path: at(), value: path.into() });
            }
            Cleaned::Damaged => return Err(Reason::DamagedPath(at())),
        }
    }
    Ok(operations)
}
