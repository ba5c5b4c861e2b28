//! First pass: a `null` at an optional field that refuses `null` counts as omitted.

use serde_json::{Map, Value};

use super::members;
use super::session::{Session, Unmodelled};

/// Drops such nulls wherever `node` declares the field; unions and intersections are not entered.
pub(super) fn drop_optional(
    session: &mut Session,
    node: &Value,
    value: Value,
) -> Result<Value, Unmodelled> {
    session.spend(1)?;
    match value {
        Value::Array(items) => {
            let walked = items.into_iter().enumerate().map(|(index, item)| {
                match members::item_schema(session, node, index) {
                    Some(schema) => drop_optional(session, schema, item),
                    None => Ok(item),
                }
            });
            walked.collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        Value::Object(map) => drop_in_object(session, node, map).map(Value::Object),
        scalar => Ok(scalar),
    }
}

fn drop_in_object(
    session: &mut Session,
    node: &Value,
    map: Map<String, Value>,
) -> Result<Map<String, Value>, Unmodelled> {
    let properties = members::object_at(node, "properties");
    let mut kept = Map::new();
    for (key, mut item) in map {
        let declared = properties.and_then(|declared| declared.get(&key));
        if item.is_null()
            && let Some(schema) = declared
            && !is_required(node, &key)
            && refuses_null(session, schema)?
        {
            continue;
        }
        let schemas = match declared {
            None if !session.walks_all_members() => Vec::new(),
            _ => members::schemas_for(session, node, &key)?,
        };
        for schema in schemas {
            item = drop_optional(session, schema, item)?;
        }
        kept.insert(key, item);
    }
    Ok(kept)
}

fn is_required(node: &Value, key: &str) -> bool {
    let required = node.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|name| name == key))
}

fn refuses_null(session: &mut Session, schema: &Value) -> Result<bool, Unmodelled> {
    // The older host cannot compile a boolean schema on its own, and then keeps the null.
    let is_compiled = schema.is_object() || session.walks_all_members();
    Ok(is_compiled && session.passes(schema, &Value::Null)? == Some(false))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::{HostProfile, SchemaOrigin};

    #[test]
    fn only_the_newest_host_looks_at_members_it_does_not_declare() {
        let inner = json!({"properties": {"x": {"type": "string"}}});
        let node = json!({"properties": {"pa": {}, "b": inner},
            "patternProperties": {"^p": inner}, "additionalProperties": inner});
        for (key, older, newest) in [
            ("b", json!({}), json!({})),
            ("pa", json!({"x": null}), json!({})),
            ("pb", json!({"x": null}), json!({})),
            ("c", json!({"x": null}), json!({})),
        ] {
            for (profile, expected) in [(HostProfile::Pi085, older), (HostProfile::Pi15, newest)] {
                let mut session = Session::new(profile, SchemaOrigin::TypeBox);
                let dropped = drop_optional(&mut session, &node, json!({key: {"x": null}}));
                assert_eq!(dropped.expect("modelled"), json!({ key: expected }), "{profile:?}");
            }
        }
    }
}
