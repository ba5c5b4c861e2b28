//! What a schema plainly says about a place: one kind, perhaps `null` beside it. Everything else is left alone.

use crate::json::{Place, child, escape};
use serde_json::{Map, Value};

/// The kind of value a place is declared to hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// Any number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A list.
    List,
    /// An object.
    Object,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::Text,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "array" => Self::List,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// Whether a value is of this kind.
    pub fn holds(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

/// A place whose schema names exactly one kind.
#[derive(Clone, Debug)]
pub struct Site<'a> {
    /// Where it is.
    pub place: Place,
    /// Its schema, references resolved and `null` set aside.
    pub schema: &'a Value,
    /// The declared kind.
    pub kind: Kind,
    /// Whether `null` is allowed as well.
    pub nullable: bool,
    /// Whether the parent requires it; items of a list count as required.
    pub required: bool,
    /// Whether it is an item of a list.
    pub item: bool,
}

impl Site<'_> {
    /// The members of its enumeration, if it has one.
    pub fn choices(&self) -> Option<&Vec<Value>> {
        self.schema.get("enum").and_then(Value::as_array)
    }

    /// Whether its schema is a bare type, without an enumeration or a constant.
    pub fn is_free(&self) -> bool {
        self.schema.get("enum").is_none() && self.schema.get("const").is_none()
    }

    /// The kind of its items, where it is a list of one plain kind.
    pub fn item_kind(&self, root: &Value) -> Option<Kind> {
        let (schema, kind, nullable) = plain(root, self.schema.get("items")?)?;
        let bare = schema.get("enum").is_none() && schema.get("const").is_none();
        (bare && !nullable && self.kind == Kind::List).then_some(kind)
    }
}

/// Follows references within the schema, a bounded number of times.
pub fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..8 {
        let Some(target) =
            schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'))
        else {
            break;
        };
        let Some(next) = root.pointer(target) else { break };
        schema = next;
    }
    schema
}

/// The schema, kind and nullability of a field that plainly has one kind.
pub fn plain<'a>(root: &'a Value, schema: &'a Value) -> Option<(&'a Value, Kind, bool)> {
    let schema = resolve(root, schema);
    if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        let (null, others): (Vec<_>, Vec<_>) =
            branches.iter().partition(|branch| branch["type"] == "null");
        let [only] = others[..] else { return None };
        let (schema, kind, nullable) = plain(root, only)?;
        return Some((schema, kind, nullable || !null.is_empty()));
    }
    if ["oneOf", "allOf", "not", "if", "$ref", "const"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some())
    {
        return None;
    }
    match schema.get("type") {
        Some(Value::String(name)) => Some((schema, Kind::named(name)?, false)),
        Some(Value::Array(names)) => {
            let kinds: Vec<&str> =
                names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect();
            let [only] = kinds[..] else { return None };
            Some((schema, Kind::named(only)?, names.len() > 1))
        }
        _ => {
            let members = schema.get("enum")?.as_array()?;
            members.iter().all(Value::is_string).then_some((schema, Kind::Text, false))
        }
    }
}

/// The declared properties of an object schema.
pub fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// Whether an object schema requires a property.
pub fn requires(schema: &Value, name: &str) -> bool {
    schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|names| names.iter().any(|known| known == name))
}

/// Whether an object schema rejects an object that has only undeclared members.
pub fn rejects_strangers(schema: &Value) -> bool {
    let requires =
        schema.get("required").and_then(Value::as_array).is_some_and(|names| !names.is_empty());
    requires || schema.get("additionalProperties") == Some(&Value::Bool(false))
}

/// Whether a property of this name is declared anywhere in a schema.
pub fn declares(schema: &Value, name: &str) -> bool {
    let mut open = vec![schema];
    while let Some(next) = open.pop() {
        match next {
            Value::Object(map) => {
                if properties(next).is_some_and(|known| known.contains_key(name)) {
                    return true;
                }
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    false
}

/// The plain sites present in `value`, root first, in document order.
///
/// Descends only where a value is of its declared kind; nothing below a union is a site.
pub fn sites<'a>(root: &'a Value, value: &Value) -> Vec<Site<'a>> {
    walk(root, value).0
}

/// The plain optional properties that are absent from objects present in `value`.
pub fn gaps<'a>(root: &'a Value, value: &Value) -> Vec<Site<'a>> {
    walk(root, value).1
}

fn walk<'a>(root: &'a Value, value: &Value) -> (Vec<Site<'a>>, Vec<Site<'a>>) {
    let (mut found, mut gaps) = (Vec::new(), Vec::new());
    let mut open = Vec::new();
    let start = |schema, place, required, item| {
        let (schema, kind, nullable) = plain(root, schema)?;
        Some(Site { place, schema, kind, nullable, required, item })
    };
    open.extend(start(root, Vec::new(), true, false).map(|site| (site, value)));
    while let Some((site, value)) = open.pop() {
        match value {
            Value::Object(map) if site.kind == Kind::Object => {
                for (name, schema) in properties(site.schema).into_iter().flatten().rev() {
                    let required = requires(site.schema, name);
                    let Some(next) =
                        start(schema, child(&site.place, name.clone()), required, false)
                    else {
                        continue;
                    };
                    match map.get(name) {
                        Some(value) => open.push((next, value)),
                        None if !required => gaps.push(next),
                        None => {}
                    }
                }
            }
            Value::Array(items) if site.kind == Kind::List => {
                let Some(schema) = site.schema.get("items") else { continue };
                let numbered = items.iter().enumerate().rev();
                open.extend(numbered.filter_map(|(at, item)| {
                    Some((start(schema, child(&site.place, at.to_string()), true, true)?, item))
                }));
            }
            _ => {}
        }
        found.push(site);
    }
    (found, gaps)
}

/// Selectors of the plain, free string fields at the root and in the objects of lists at the root.
pub fn text_fields(schema: &Value) -> Vec<String> {
    let free = |name: &str, field: &Value, prefix: &str| {
        let (field, kind, nullable) = plain(schema, field)?;
        let bare = field.get("enum").is_none() && !nullable && kind == Kind::Text;
        (bare && name != "*").then(|| format!("{prefix}/{}", escape(name)))
    };
    let mut found = Vec::new();
    for (name, field) in properties(schema).into_iter().flatten() {
        found.extend(free(name, field, ""));
        let Some((list, Kind::List, false)) = plain(schema, field) else { continue };
        let Some((item, Kind::Object, false)) =
            list.get("items").and_then(|item| plain(schema, item))
        else {
            continue;
        };
        let prefix = format!("/{}/*", escape(name));
        let inner = properties(item).into_iter().flatten();
        found.extend(
            inner.filter_map(|(inner, field)| free(inner, field, &prefix)).filter(|_| name != "*"),
        );
    }
    found
}

/// The only required property, where it is a plain string.
pub fn only_required_text(schema: &Value) -> Option<String> {
    let [Value::String(only)] = &schema.get("required")?.as_array()?[..] else { return None };
    let (field, kind, nullable) = plain(schema, properties(schema)?.get(only)?)?;
    (kind == Kind::Text && !nullable && field.get("enum").is_none()).then(|| only.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::pointer;
    use serde_json::json;

    #[test]
    fn sites_and_gaps_are_plain_places() {
        let schema = json!({
            "type": "object", "required": ["a"],
            "properties": {
                "a": {"type": "array", "items": {"$ref": "#/$defs/x"}},
                "b": {"type": ["string", "null"]}, "c": {"oneOf": [{"type": "string"}]}, "d": {"type": "number"},
            },
            "$defs": {"x": {"type": "object", "properties": {"y": {"type": "string"}, "z": {"type": "boolean"}}}},
        });
        let value = json!({"a": [{"y": "1"}], "b": null, "c": "x"});
        let places = |sites: Vec<Site<'_>>| {
            sites.iter().map(|site| pointer(&site.place)).collect::<Vec<_>>()
        };
        assert_eq!(places(sites(&schema, &value)), ["", "/a", "/a/0", "/a/0/y", "/b"]);
        assert_eq!(places(gaps(&schema, &value)), ["/d", "/a/0/z"]);
    }
}
