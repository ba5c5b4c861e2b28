//! Second pass: the generous conversion, keyed on what builds a schema node.

use serde_json::{Map, Value};

use super::session::{Session, Unmodelled};
use super::{members, primitive};

/// Characters that make a `TypeBox` property name match other names than itself.
const PATTERN_CHARACTERS: &[char] =
    &['\\', '^', '$', '.', '|', '?', '*', '+', '(', ')', '[', ']', '{', '}'];

/// What a schema node is to this pass.
enum Kind<'a> {
    Literal(&'a Value),
    Enum(&'a [Value]),
    Union(&'a [Value]),
    Intersection(&'a [Value]),
    Scalar(&'a str),
    Array,
    Object,
    Other,
}

/// Whether the pass touches a call of this root schema at all.
///
/// The older hosts convert in place, so that only a root object keeps what was converted.
pub(super) fn reaches(session: &Session, root: &Value) -> bool {
    let is_object = |node| matches!(kind(session, node), Kind::Object);
    let keeps_result = match kind(session, root) {
        Kind::Object => true,
        // One with a union among its parts is a union to the host.
        Kind::Intersection(parts) => parts.iter().all(is_object),
        _ => false,
    };
    !session.reads_marks() || (session.is_typebox() && keeps_result)
}

/// Converts `value` towards `node`, or leaves it.
pub(super) fn convert(
    session: &mut Session,
    node: &Value,
    value: Value,
) -> Result<Value, Unmodelled> {
    session.spend(1)?;
    match kind(session, node) {
        Kind::Literal(literal) => Ok(primitive::literal(literal, value)),
        Kind::Enum(members) => convert_enum(session, node, members, value),
        Kind::Union(branches) => convert_union(session, node, branches, value),
        Kind::Intersection(parts) => convert_intersection(session, node, parts, value),
        Kind::Scalar(name) => Ok(primitive::generous(name, &value).unwrap_or(value)),
        Kind::Array => convert_array(session, node, value),
        Kind::Object => convert_object(session, node, value),
        Kind::Other => Ok(value),
    }
}

fn kind<'a>(session: &Session, node: &'a Value) -> Kind<'a> {
    let list = |keyword| node.get(keyword).and_then(Value::as_array).map(Vec::as_slice);
    let marks = session.reads_marks();
    // A string enum is built without a mark, and its `type` tells it from one that has it.
    let is_unmarked_enum = marks && node.get("type").is_some();
    if let Some(literal) = node.get("const") {
        return Kind::Literal(literal);
    }
    if let Some(members) = list("enum") {
        return if is_unmarked_enum { Kind::Other } else { Kind::Enum(members) };
    }
    if let Some(branches) = list("anyOf").or_else(|| list("oneOf").filter(|_| !marks)) {
        return Kind::Union(branches);
    }
    if let Some(parts) = list("allOf") {
        return Kind::Intersection(parts);
    }
    match node.get("type") {
        Some(Value::String(name)) => match name.as_str() {
            "array" => Kind::Array,
            "object" => Kind::Object,
            name => Kind::Scalar(name),
        },
        None if !marks => untyped(node),
        _ => Kind::Other,
    }
}

fn untyped(node: &Value) -> Kind<'_> {
    let has_any = |keywords: [&str; 2]| keywords.iter().any(|key| node.get(key).is_some());
    if has_any(["properties", "patternProperties"]) {
        Kind::Object
    } else if has_any(["items", "prefixItems"]) {
        Kind::Array
    } else {
        Kind::Other
    }
}

fn convert_enum(
    session: &mut Session,
    node: &Value,
    members: &[Value],
    value: Value,
) -> Result<Value, Unmodelled> {
    if session.fails_over_null_members() && members.contains(&Value::Null) {
        return Err(Unmodelled);
    }
    if members.iter().any(|member| primitive::same_scalar(member, &value)) {
        return Ok(value);
    }
    for member in members {
        session.spend(1)?;
        // `TypeBox` reads an enum as a union, whose member for `null` is the type, not a literal.
        let candidate = match primitive::generous("null", &value) {
            Some(null) if member.is_null() && session.reads_marks() => null,
            _ => primitive::literal(member, value.clone()),
        };
        if candidate != value && session.passes(node, &candidate)? == Some(true) {
            return Ok(candidate);
        }
    }
    Ok(value)
}

fn convert_union(
    session: &mut Session,
    node: &Value,
    branches: &[Value],
    value: Value,
) -> Result<Value, Unmodelled> {
    for branch in branches {
        if session.passes(branch, &value)? == Some(true) {
            return convert_declared(session, node, value);
        }
    }
    for branch in branches {
        let converted = convert(session, branch, value.clone())?;
        let candidate = convert_declared(session, node, converted)?;
        if session.passes(node, &candidate)? == Some(true) {
            return Ok(candidate);
        }
    }
    convert_declared(session, node, value)
}

fn convert_intersection(
    session: &mut Session,
    node: &Value,
    parts: &[Value],
    mut value: Value,
) -> Result<Value, Unmodelled> {
    for part in parts {
        value = match kind(session, part) {
            // The older hosts compute the intersection first, which loses the additional schema.
            Kind::Object if session.reads_marks() => convert_members(session, part, None, value)?,
            Kind::Object | Kind::Union(_) => convert(session, part, value)?,
            _ if session.reads_marks() => return Err(Unmodelled),
            _ => convert(session, part, value)?,
        };
    }
    convert_declared(session, node, value)
}

/// The members that a union or intersection declares beside its branches.
fn convert_declared(
    session: &mut Session,
    node: &Value,
    value: Value,
) -> Result<Value, Unmodelled> {
    let keywords = ["properties", "patternProperties", "additionalProperties"];
    let declares = keywords.iter().any(|key| node.get(key).is_some());
    if declares { convert_object(session, node, value) } else { Ok(value) }
}

fn convert_array(session: &mut Session, node: &Value, value: Value) -> Result<Value, Unmodelled> {
    let is_tuple =
        ["items", "prefixItems"].iter().any(|key| node.get(key).is_some_and(Value::is_array));
    let items = match value {
        Value::Array(items) => items,
        single if is_tuple => return Ok(single),
        single => vec![single],
    };
    let converted = items.into_iter().enumerate().map(|(index, item)| {
        match members::item_schema(session, node, index) {
            Some(schema) => convert(session, schema, item),
            None => Ok(item),
        }
    });
    converted.collect::<Result<Vec<_>, _>>().map(Value::Array)
}

fn convert_object(session: &mut Session, node: &Value, value: Value) -> Result<Value, Unmodelled> {
    convert_members(session, node, members::additional(node), value)
}

fn convert_members(
    session: &mut Session,
    node: &Value,
    additional: Option<&Value>,
    value: Value,
) -> Result<Value, Unmodelled> {
    let Value::Object(map) = value else { return Ok(value) };
    let mut converted = Map::new();
    for (key, mut item) in map {
        let schemas = if session.reads_marks() {
            marked_schemas_for(session, node, additional, &key)?
        } else {
            members::schemas_for(session, node, &key)?
        };
        for schema in schemas {
            item = convert(session, schema, item)?;
        }
        converted.insert(key, item);
    }
    Ok(Value::Object(converted))
}

/// The schemas `TypeBox` converts one key by.
///
/// Entries are regular expressions over whole names, and the additional schema is applied once for
/// each entry that does *not* match, so also to a declared key if there is a second one.
fn marked_schemas_for<'a>(
    session: &mut Session,
    node: &'a Value,
    additional: Option<&'a Value>,
    key: &str,
) -> Result<Vec<&'a Value>, Unmodelled> {
    let properties = members::object_at(node, "properties");
    let is_record = properties.is_none();
    let entries = properties.or_else(|| members::object_at(node, "patternProperties"));
    let mut schemas = Vec::new();
    let mut misses = 0;
    for (name, schema) in entries.into_iter().flatten() {
        let matches = match is_record {
            true => session.finds(&format!("^{name}$"), key)?,
            false if name.contains(PATTERN_CHARACTERS) => return Err(Unmodelled),
            false => name == key,
        };
        if matches {
            schemas.push(schema);
        } else {
            misses += 1;
        }
    }
    session.spend(misses)?;
    // Converting twice by one schema changes nothing more, so once stands for every miss.
    schemas.extend(additional.filter(|_| misses > 0));
    Ok(schemas)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::{HostProfile, SchemaOrigin};

    #[test]
    fn hosts_that_read_marks_model_less() {
        let all = json!({"allOf": [{"type": "string"}]});
        let dotted = json!({"type": "object", "properties": {"a.b": {"type": "integer"}}});
        let untyped = json!({"properties": {"a": {"type": "integer"}}});
        let none = json!({"enum": ["a", null]});
        for (node, value, older, newest) in [
            (json!({"enum": ["a"]}), json!("a"), Some(json!("a")), json!("a")),
            (json!({"enum": ["null"]}), json!(null), Some(json!("null")), json!("null")),
            (json!({"enum": ["5"], "minLength": 3}), json!(5), Some(json!(5)), json!(5)),
            (none, json!("a"), None, json!("a")),
            (all, json!(5), None, json!("5")),
            (dotted, json!({"a.b": "5"}), None, json!({"a.b": 5})),
            (untyped, json!({"a": "5"}), Some(json!({"a": "5"})), json!({"a": 5})),
        ] {
            for (profile, expected) in
                [(HostProfile::Pi085, older), (HostProfile::Pi15, Some(newest))]
            {
                let mut session = Session::new(profile, SchemaOrigin::TypeBox);
                let converted = convert(&mut session, &node, value.clone()).ok();
                assert_eq!(converted, expected, "{profile:?} {node}");
            }
        }
    }
}
