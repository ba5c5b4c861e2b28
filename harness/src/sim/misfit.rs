//! Why arguments fit a schema badly, in the words of the host's generation.

use engine::host::{HostProfile, SchemaOrigin, convert};
use serde_json::{Value, json};

/// One line an issue, as the model reads them.
pub(super) fn lines(
    host: HostProfile,
    origin: SchemaOrigin,
    schema: &Value,
    args: &Value,
) -> String {
    let mut issues = Vec::new();
    walk(schema, args, &Place { at: String::new(), host, origin }, &mut issues);
    let told: Vec<String> = issues.iter().flat_map(|issue| issue.told(host)).collect();
    if told.is_empty() { "  - root: must match the schema".to_owned() } else { told.join("\n") }
}

/// Levels that are looked at.
const DEPTH_MAX: usize = 64;

enum Issue {
    Missing { at: String, fields: Vec<String> },
    Type { at: String, wanted: String, got: &'static str },
}

impl Issue {
    fn told(&self, host: HostProfile) -> Vec<String> {
        let newest = host == HostProfile::Pi15;
        match self {
            Self::Missing { at, fields } if newest => {
                fields.iter().map(|field| format!("  - {}: missing", join(at, field))).collect()
            }
            Self::Missing { at, fields } => {
                let first = fields.first().map(|field| join(at, field)).unwrap_or_default();
                let all = fields.join(", ");
                vec![format!("  - {first}: must have required properties {all}")]
            }
            Self::Type { at, wanted, got } => {
                let at = if at.is_empty() { "root" } else { at };
                let words = if newest {
                    format!("expected {wanted}, got {got}")
                } else {
                    format!("must be {wanted}")
                };
                vec![format!("  - {at}: {words}")]
            }
        }
    }
}

fn join(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

/// Where the walk is, and whose rules hold.
struct Place {
    at: String,
    host: HostProfile,
    origin: SchemaOrigin,
}

impl Place {
    fn join(&self, key: &str) -> Self {
        Self { at: join(&self.at, key), ..*self }
    }

    /// Whether the host wraps a single value in a list.
    fn wraps(&self) -> bool {
        self.origin == SchemaOrigin::TypeBox || self.host == HostProfile::Pi15
    }

    /// Whether a value is of a type, or of one that the host turns into it.
    fn takes(&self, value: &Value, wanted: &str) -> bool {
        if self.at.is_empty() || wanted == "object" || wanted == "array" {
            return is_of(value, wanted);
        }
        let schema =
            json!({"type": "object", "properties": {"v": {"type": wanted}}, "required": ["v"]});
        convert(self.host, self.origin, &schema, &json!({"v": value})).is_some()
    }
}

fn walk(schema: &Value, value: &Value, place: &Place, issues: &mut Vec<Issue>) {
    let at = &place.at;
    if at.matches('.').count() > DEPTH_MAX {
        return;
    }
    if let Some(wanted) = schema["type"].as_str()
        && !place.takes(value, wanted)
    {
        if wanted == "array" && place.wraps() {
            return walk(&schema["items"], value, &place.join("0"), issues);
        }
        let got = kind(value);
        issues.push(Issue::Type { at: at.clone(), wanted: wanted.to_owned(), got });
        return;
    }
    if let Some(map) = value.as_object() {
        let required = schema["required"].as_array().into_iter().flatten();
        let missing = required.filter_map(Value::as_str).filter(|key| !map.contains_key(*key));
        let fields: Vec<String> = missing.map(str::to_owned).collect();
        if !fields.is_empty() {
            issues.push(Issue::Missing { at: at.clone(), fields });
        }
        for (key, member) in map {
            if let Some(schema) = schema["properties"].get(key) {
                walk(schema, member, &place.join(key), issues);
            }
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        walk(&schema["items"], item, &place.join(&index.to_string()), issues);
    }
}

fn is_of(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        other => other == kind(value),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
