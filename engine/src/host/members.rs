//! Which schemas apply to the members of an object or array, in each generation.

use serde_json::{Map, Value};

use super::session::{Session, Unmodelled};

/// Names every JavaScript object answers to, declared or not.
const BUILT_IN_NAMES: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Whether the oldest hosts would read this name off an object that does not have it.
pub(super) fn is_built_in_name(name: &str) -> bool {
    BUILT_IN_NAMES.contains(&name)
}

/// The object a keyword holds, if it does.
pub(super) fn object_at<'a>(node: &'a Value, keyword: &str) -> Option<&'a Map<String, Value>> {
    node.get(keyword).and_then(Value::as_object)
}

/// The schema `additionalProperties` holds, if it is more than a boolean.
pub(super) fn additional(node: &Value) -> Option<&Value> {
    node.get("additionalProperties").filter(|schema| schema.is_object())
}

/// The schemas for one key in order: its own, those of matching patterns, else the additional one.
pub(super) fn schemas_for<'a>(
    session: &mut Session,
    node: &'a Value,
    key: &str,
) -> Result<Vec<&'a Value>, Unmodelled> {
    let mut schemas: Vec<&Value> =
        object_at(node, "properties").and_then(|map| map.get(key)).into_iter().collect();
    if session.walks_all_members() {
        for (pattern, schema) in object_at(node, "patternProperties").into_iter().flatten() {
            if session.finds(pattern, key)? {
                schemas.push(schema);
            }
        }
    }
    if schemas.is_empty() {
        schemas.extend(additional(node));
    }
    Ok(schemas)
}

/// The schema of the item at `index`.
pub(super) fn item_schema<'a>(
    session: &Session,
    node: &'a Value,
    index: usize,
) -> Option<&'a Value> {
    let items = node.get("items");
    if let Some(Value::Array(list)) = items {
        return list.get(index);
    }
    let prefix = node.get("prefixItems").filter(|_| session.walks_all_members());
    prefix.and_then(|list| list.get(index)).or(items)
}
