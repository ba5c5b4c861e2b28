//! Strips a pair of regex anchors around a value, on models that are known to add it.

use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "anchor-bleed",
    rule: "preprocess.strip-anchors",
    fires: "a value stands between `^` and `$` on a model that is known to add them",
    note: "Took `^` and `$` off `{field}`: send the bare value, it is not a regular expression.",
    grade: Grade::Adaptive,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#,
        entry: r#"{"kind":"anchor-bleed","selector":"/path","modelFamilies":["glm"]}"#,
        before: r#"{"path":"^/x$"}"#,
        after: r#"{"path":"/x"}"#,
    },
    apply,
};

/// Only pairs are stripped, all of them at once: a name may end in `$`. Nothing is left empty.
fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let inner = spot.text().and_then(|text| {
        let pairs = std::iter::successors(Some(text), |text| {
            text.strip_prefix('^')?.strip_suffix('$').filter(|inner| !inner.is_empty())
        });
        pairs.skip(1).last()
    });
    Ok(inner.map_or_else(Vec::new, |inner| spot.replace(inner)))
}
