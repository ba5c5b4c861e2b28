//! Reads number and boolean text at a configured place, so that no host has to.

use super::{Kind, KindExample, Spot};
use crate::policy::Grade;
use crate::spelling;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "scalar",
    rule: "preprocess.read-scalar",
    fires: "a text spells the number or boolean that the schema declares",
    note: "Read `{field}` from text: send the number or boolean itself.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"limit":{"type":"number"}}}"#,
        entry: r#"{"kind":"scalar","selector":"/limit"}"#,
        before: r#"{"limit":"5"}"#,
        after: r#"{"limit":5}"#,
    },
    apply,
};

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(text) = spot.text() else { return Ok(Vec::new()) };
    let read = spelling::read_scalar(text, spot.node().types());
    Ok(read.map_or_else(Vec::new, |value| spot.replace(value)))
}
