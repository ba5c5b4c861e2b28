//! Makes a list of a bare text at a configured place, after looking whether the text is a list.

use super::{Kind, KindExample, Spot};
use crate::plain;
use crate::policy::Grade;
use crate::{Operation, Reason};

pub(super) const KIND: Kind = Kind {
    name: "string-or-array",
    rule: "preprocess.list-text",
    fires: "a bare text, or a list as JSON text, stands where the owner wants a list",
    note: "Made `{field}` a list: send a list even for one item.",
    grade: Grade::Exact,
    example: KindExample {
        schema: r#"{"type":"object","properties":{"include":{"type":["array","string"],"items":{"type":"string"}}}}"#,
        entry: r#"{"kind":"string-or-array","selector":"/include"}"#,
        before: r#"{"include":"[\"a\",\"b\"]"}"#,
        after: r#"{"include":["a","b"]}"#,
    },
    apply,
};

fn apply(spot: &Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason> {
    let Some(text) = spot.text() else { return Ok(Vec::new()) };
    if plain::looks_like_json(text) {
        let list = spot.tool.read_list(text);
        return Ok(list.map_or_else(Vec::new, |list| spot.replace(list)));
    }
    let item = plain::is_plain_item(text, spot.place.key);
    Ok(if item { spot.replace(vec![serde_json::Value::from(text)]) } else { Vec::new() })
}
