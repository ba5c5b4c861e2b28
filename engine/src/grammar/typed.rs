//! Types the values of formats that do not quote, by the tool's schema. The one place that does.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Field, FieldKind};
use crate::Tool;
use crate::reader::{self, ReadOptions};
use crate::schema::Node;
use crate::selector::Step;

/// Fields with their values typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typed {
    /// The arguments; keys as the block spells them.
    pub arguments: Map<String, Value>,
    /// True if every key is one that the tool declares or has another name for.
    pub declared: bool,
    /// True if no key came twice or empty, and what the format declares as JSON is JSON.
    pub sound: bool,
}

/// Types `fields` for `tool`.
///
/// Where the schema allows a string, text stays text, whatever it looks like: `1.0`, `{"a":1}` and
/// `null` too. An `enum` or `const` that names the text decides likewise. Elsewhere the text is read
/// as JSON, numbers exactly, white space around it aside; text that is no JSON there stays text, for
/// the tool's repair to judge. What the format says about a value wins over the schema.
pub fn type_fields(fields: &[Field], tool: &Tool) -> Typed {
    let root = tool.schema().root();
    let aliases = aliases(&root, tool);
    let mut typed = Typed { arguments: Map::new(), declared: true, sound: true };
    for field in fields {
        let own = root.property(&field.name);
        let node = if root.declares(&field.name) || own.is_described() {
            Some(&own)
        } else {
            aliases.get(field.name.as_str())
        };
        typed.declared &= node.is_some();
        let value = value_of(field, node.unwrap_or(&own));
        typed.sound &= value.is_some() && !field.name.is_empty();
        let value = value.unwrap_or_else(|| Value::from(field.text.as_str()));
        typed.sound &= typed.arguments.insert(field.name.clone(), value).is_none();
    }
    typed
}

/// The configured other names of top-level fields, with what the field must be.
fn aliases<'t>(root: &Node<'t>, tool: &'t Tool) -> BTreeMap<&'t str, Node<'t>> {
    let mut aliases = BTreeMap::new();
    for entry in tool.preprocessors() {
        let [Step::Member(field)] = entry.selector.steps() else { continue };
        let place = root.property(field);
        // A fold takes the fields of its list's item flat, under any of their names.
        for (inner, others) in &entry.fields {
            let node = place.item(0).property(inner);
            let flat = std::iter::once(inner).chain(others);
            aliases.extend(flat.map(|name| (name.as_str(), node.clone())));
        }
        aliases.extend(entry.aliases.iter().map(|alias| (alias.as_str(), place.clone())));
    }
    aliases
}

/// The value of one field; `None` if the format says JSON and it is none.
fn value_of(field: &Field, node: &Node<'_>) -> Option<Value> {
    let text = || Value::from(field.text.as_str());
    match field.kind {
        FieldKind::Text => Some(text()),
        FieldKind::Json => exact_json(&field.text),
        FieldKind::Untyped => {
            let choices = node.choices();
            let stays = if choices.is_empty() {
                node.types().string()
            } else {
                choices.iter().any(|choice| choice.as_str() == Some(&field.text))
            };
            let read = || exact_json(&field.text).filter(|value| !value.is_string());
            Some(if stays { text() } else { read().unwrap_or_else(text) })
        }
    }
}

/// The JSON value that `text` is, strictly, with every number exact.
fn exact_json(text: &str) -> Option<Value> {
    let reading = reader::read(text.trim_ascii(), &ReadOptions::default()).ok()?;
    (reading.liberties.is_empty() && reading.inexact.is_none()).then_some(reading.value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ToolSpec;

    fn tool() -> Tool {
        Tool::compile(ToolSpec {
            schema: json!({
                "type": "object",
                "properties": {
                    "text": {"$ref": "#/$defs/text"},
                    "count": {"type": ["integer", "null"]},
                    "flag": {"type": "boolean"},
                    "list": {"type": "array"},
                    "either": {"anyOf": [{"type": "number"}, {"type": "null"}]},
                    "level": {"enum": [1, 2, "auto"]},
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "any": {}
                },
                "$defs": {"text": {"type": "string"}}
            }),
            ..ToolSpec::default()
        })
        .expect("compiles")
    }

    fn typed(name: &str, text: &str, kind: FieldKind) -> Typed {
        type_fields(&[Field { name: name.to_owned(), text: text.to_owned(), kind }], &tool())
    }

    #[test]
    fn the_schema_types_what_the_format_does_not() {
        for (name, text, expected) in [
            ("text", " 1.0\n", json!(" 1.0\n")),
            ("text", "{\"a\":1}", json!("{\"a\":1}")),
            ("count", "\n12\n", json!(12)),
            ("count", "null", json!(null)),
            ("count", "1234567890123456789012", json!("1234567890123456789012")),
            ("flag", "true", json!(true)),
            ("flag", "True", json!("True")),
            ("list", "[1, 2]", json!([1, 2])),
            ("list", "[1,", json!("[1,")),
            ("either", "2.5", json!(2.5)),
            ("either", "\"2\"", json!("\"2\"")),
            ("level", "auto", json!("auto")),
            ("level", "2", json!(2)),
            ("note", "null", json!("null")),
            ("any", "x", json!("x")),
        ] {
            let typed = typed(name, text, FieldKind::Untyped);
            assert_eq!(typed.arguments.get(name), Some(&expected), "{name} {text}");
            assert!(typed.declared && typed.sound);
        }
    }

    #[test]
    fn the_format_wins_and_strangers_are_told() {
        assert_eq!(typed("count", "1", FieldKind::Text).arguments["count"], json!("1"));
        assert_eq!(typed("text", "1", FieldKind::Json).arguments["text"], json!(1));
        assert!(!typed("text", "x y", FieldKind::Json).sound);
        assert!(!typed("other", "x", FieldKind::Untyped).declared);
        assert!(!typed("", "x", FieldKind::Untyped).sound);
        let field =
            |name: &str| Field { name: name.into(), text: "x".into(), kind: FieldKind::Untyped };
        assert!(!type_fields(&[field("text"), field("text")], &tool()).sound);
        let schema = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        let open = Tool::compile(ToolSpec { schema, ..ToolSpec::default() }).expect("compiles");
        let count = Field { name: "count".into(), text: "2".into(), kind: FieldKind::Untyped };
        let typed = type_fields(&[count], &open);
        assert!(typed.declared && typed.arguments["count"] == json!(2));
        let read = Tool::builtin("read", None).expect("is there");
        let edit = Tool::builtin("edit", None).expect("is there");
        assert!(type_fields(&[field("file_path")], &read).declared);
        assert!(
            type_fields(&[field("path"), field("old_string"), field("newText")], &edit).declared
        );
    }
}
