//! Schemas in the host's subset and beyond.

use super::Bias;
use crate::source::{Choose, Source};
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &[
    "path", "query", "limit", "include", "options", "mode", "level", "items", "tags", "id",
    "enabled", "cwd", "argv", "label", "status", "count",
];
const HOSTILE_NAMES: &[&str] = &[
    "a/b",
    "~1",
    "007",
    "",
    "0",
    "__proto__",
    "constructor",
    "naïve",
    "日本",
    "a b",
    "x\"y",
    "back\\slash",
    "~0/~",
    "*",
    "-",
    "true",
    "line\nbreak",
    "toString",
    "length",
];

/// The schema of a made-up tool: an object with up to five properties.
pub fn tool(source: &mut dyn Source, bias: &Bias) -> Value {
    let mut schema = object(source, bias, 0);
    let recursive = json!({
        "type": "object",
        "required": ["label"],
        "properties": {"label": {"type": "string"}, "next": {"$ref": "#/$defs/node"}},
    });
    if schema.to_string().contains("#/$defs/")
        && let Some(map) = schema.as_object_mut()
    {
        map.insert(
            "$defs".to_owned(),
            json!({"node": recursive, "a/b": {"type": "string", "minLength": 1}}),
        );
    }
    schema
}

fn object(source: &mut dyn Source, bias: &Bias, depth: u32) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for _ in 0..source.range(1, 5) {
        let name = name(source, bias);
        let field = field(source, bias, depth + 1);
        let free = matches!(field, Value::Object(ref map) if map.is_empty());
        if !properties.contains_key(&name) {
            if source.chance(1, 2) && !free {
                required.push(name.clone());
            }
            properties.insert(name, field);
        }
    }
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if source.chance(1, 4) {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn name(source: &mut dyn Source, bias: &Bias) -> String {
    let pool = if source.chance(bias.hostile_names, 16) { HOSTILE_NAMES } else { NAMES };
    (*source.pick(pool)).to_owned()
}

fn field(source: &mut dyn Source, bias: &Bias, depth: u32) -> Value {
    if source.chance(bias.unions, 16) {
        return unusual(source, bias, depth);
    }
    let shallow = [5, 3, 2, 3, 4, 2, 4, 3];
    let kinds = if depth < bias.depth_max { &shallow[..] } else { &shallow[..6] };
    match source.weighted(kinds) {
        0 => text(source),
        1 => integer(source),
        2 => json!({"type": "number"}),
        3 => json!({"type": "boolean"}),
        4 => list(source, &json!({"type": "string"})),
        5 => choice(source),
        6 => {
            let item = object(source, bias, depth + 1);
            list(source, &item)
        }
        _ => object(source, bias, depth + 1),
    }
}

fn text(source: &mut dyn Source) -> Value {
    match source.below(5) {
        0..=2 => json!({"type": "string"}),
        3 => json!({"type": "string", "maxLength": 20}),
        _ => json!({"type": "string", "minLength": 1}),
    }
}

fn integer(source: &mut dyn Source) -> Value {
    match source.below(4) {
        0 | 1 => json!({"type": "integer"}),
        2 => json!({"type": "integer", "minimum": 1}),
        _ => json!({"type": "integer", "minimum": -5, "maximum": 100}),
    }
}

fn list(source: &mut dyn Source, items: &Value) -> Value {
    let mut schema = json!({"type": "array", "items": items});
    match source.below(8) {
        6 => schema["minItems"] = json!(1),
        7 => schema["maxItems"] = json!(3),
        _ => {}
    }
    schema
}

fn choice(source: &mut dyn Source) -> Value {
    let members = *source.pick(&[
        &["fast", "full"][..],
        &["pending", "in_progress", "done"],
        &["Asc", "desc"],
        &["a", "A", "b"],
        &["GET", "POST"],
    ]);
    if source.chance(1, 3) {
        json!({"enum": members})
    } else {
        json!({"type": "string", "enum": members})
    }
}

/// Fields that need more than a single `type`.
fn unusual(source: &mut dyn Source, bias: &Bias, depth: u32) -> Value {
    let simple = ["string", "integer", "boolean", "number"];
    match source.below(12) {
        0 => json!({"type": [source.pick(&simple), "null"]}),
        1 => json!({"anyOf": [{"type": source.pick(&simple)}, {"type": "null"}]}),
        2 => {
            json!({"anyOf": [{"type": "string", "const": "fast"}, {"type": "string", "const": "full"}]})
        }
        3 => json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        4 => json!({"oneOf": [{"type": "integer"}, {"type": "boolean"}]}),
        5 => kinds_by_tag(),
        6 => json!({"const": source.pick(&["v1", "on"])}),
        7 => json!({"$ref": source.pick(&["#/$defs/a~1b", "#/$defs/node"])}),
        8 => {
            json!({"type": "array", "items": source.pick(&[json!({"type": "number"}), json!({"type": "integer"})])})
        }
        9 => json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
        10 if depth < bias.depth_max => {
            json!({"anyOf": [object(source, bias, depth + 1), {"type": "null"}]})
        }
        10 => json!({"type": "object"}),
        _ => json!({}),
    }
}

fn kinds_by_tag() -> Value {
    json!({"oneOf": [
        {"type": "object", "required": ["kind", "name"],
         "properties": {"kind": {"const": "agent"}, "name": {"type": "string"}}},
        {"type": "object", "required": ["kind", "port"],
         "properties": {"kind": {"const": "server"}, "port": {"type": "integer"}}},
    ]})
}
