//! Third pass: coercion by type name, the only one that reads `type` lists.

use serde_json::{Map, Value};

use super::session::{Session, Unmodelled};
use super::{members, primitive};

/// Coerces `value` towards `node`, or leaves it.
pub(super) fn coerce(
    session: &mut Session,
    node: &Value,
    mut value: Value,
) -> Result<Value, Unmodelled> {
    session.spend(1)?;
    let list = |keyword| node.get(keyword).and_then(Value::as_array).into_iter().flatten();
    for part in list("allOf") {
        value = coerce(session, part, value)?;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = node.get(keyword) {
            value = coerce_union(session, branches, value)?;
        }
    }
    let types = type_names(node);
    value = coerce_scalar(&types, value);
    match value {
        Value::Object(map) if types.contains(&"object") => {
            coerce_object(session, node, map).map(Value::Object)
        }
        Value::Array(items) if types.contains(&"array") => coerce_items(session, node, items),
        other => Ok(other),
    }
}

fn type_names(node: &Value) -> Vec<&str> {
    match node.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn coerce_scalar(types: &[&str], value: Value) -> Value {
    let is_listed = types.len() > 1 && types.iter().any(|name| primitive::is_of_type(name, &value));
    if is_listed {
        return value;
    }
    let coerced = types.iter().find_map(|name| primitive::by_type_name(name, &value));
    coerced.unwrap_or(value)
}

fn coerce_union(
    session: &mut Session,
    branches: &[Value],
    value: Value,
) -> Result<Value, Unmodelled> {
    if session.keeps_accepted_union_values() {
        for branch in branches {
            if session.passes(branch, &value)? == Some(true) {
                return Ok(value);
            }
        }
    }
    for branch in branches {
        let candidate = coerce(session, branch, value.clone())?;
        if session.passes(branch, &candidate)? == Some(true) {
            return Ok(candidate);
        }
    }
    Ok(value)
}

fn coerce_object(
    session: &mut Session,
    node: &Value,
    map: Map<String, Value>,
) -> Result<Map<String, Value>, Unmodelled> {
    let declared = members::object_at(node, "properties");
    let inherits = |name: &String| members::is_built_in_name(name) && !map.contains_key(name);
    if !session.walks_all_members() && declared.is_some_and(|names| names.keys().any(inherits)) {
        return Err(Unmodelled);
    }
    let mut coerced = Map::new();
    for (key, mut item) in map {
        for schema in members::schemas_for(session, node, &key)? {
            item = coerce(session, schema, item)?;
        }
        coerced.insert(key, item);
    }
    Ok(coerced)
}

fn coerce_items(
    session: &mut Session,
    node: &Value,
    items: Vec<Value>,
) -> Result<Value, Unmodelled> {
    let coerced = items.into_iter().enumerate().map(|(index, item)| {
        match members::item_schema(session, node, index) {
            Some(schema) => coerce(session, schema, item),
            None => Ok(item),
        }
    });
    coerced.collect::<Result<Vec<_>, _>>().map(Value::Array)
}
