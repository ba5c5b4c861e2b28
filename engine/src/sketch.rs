//! A compact sketch of the arguments a tool expects, for refusals.

use serde_json::Value;

use crate::refusal::clip;
use crate::schema::Node;

/// The most members a sketch shows of one object.
const MEMBERS_MAX: usize = 12;

/// The most characters of a sketch.
const CHARS_MAX: usize = 600;

/// Writes what `node` expects on one line: `{"path": string, "limit"?: number}`.
pub(crate) fn sketch(node: &Node<'_>) -> String {
    let text = write(node, 4);
    let cut = clip(&text, CHARS_MAX);
    if cut.len() < text.len() { format!("{cut}…") } else { text }
}

/// Recursion ends after `levels`.
fn write(node: &Node<'_>, levels: u8) -> String {
    let choices = node.choices();
    if !choices.is_empty() {
        let shown: Vec<String> = choices.iter().take(8).map(ToString::to_string).collect();
        return shown.join(" | ");
    }
    let Some(levels) = levels.checked_sub(1) else { return node.types().describe() };
    if let Some(union) = node.unions().first() {
        let branches = union.branches.iter().take(4);
        let shown: Vec<String> =
            branches.map(|(branch, at)| write(&node.branch(branch, at), levels)).collect();
        return shown.join(" | ");
    }
    let names: Vec<&str> = node.properties().collect();
    if !names.is_empty() {
        let shown = names.iter().take(MEMBERS_MAX).map(|name| {
            let mark = if node.requires(name) { "" } else { "?" };
            let key = Value::from(*name);
            format!("{key}{mark}: {}", write(&node.property(name), levels))
        });
        let mut members: Vec<String> = shown.collect();
        if names.len() > MEMBERS_MAX {
            members.push("…".to_owned());
        }
        return format!("{{{}}}", members.join(", "));
    }
    let types = node.types();
    if types.array() && !types.is_anything() && !types.object() && !types.string() {
        return format!("[{}, …]", write(&node.item(0), levels));
    }
    types.describe()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::schema::Schema;

    #[test]
    fn the_shape_fits_on_one_line() {
        let schema = Schema::compile(json!({
            "type": "object",
            "required": ["path", "edits"],
            "properties": {
                "path": {"type": "string"},
                "edits": {"type": "array", "items": {"type": "object", "required": ["oldText"], "properties": {"oldText": {"type": "string"}}}},
                "mode": {"enum": ["fast", "full"]},
                "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]}
            }
        }))
        .expect("compiles");
        assert_eq!(
            super::sketch(&schema.root()),
            r#"{"path": string, "edits": [{"oldText": string}, …], "mode"?: "fast" | "full", "limit"?: integer | null}"#
        );
    }

    #[test]
    fn a_long_sketch_is_cut_with_a_mark() {
        let members = |count: usize, key: &str| {
            let members: serde_json::Map<String, serde_json::Value> =
                (0..count).map(|at| (format!("{key}{at:02}"), json!({"type": "null"}))).collect();
            let schema = Schema::compile(json!({ "properties": members })).expect("compiles");
            super::sketch(&schema.root())
        };
        assert!(members(12, "m").ends_with(r#""m11"?: null}"#));
        assert!(members(13, "m").ends_with(r#""m11"?: null, …}"#));
        let long = members(12, &"m".repeat(80));
        assert_eq!((long.chars().count(), long.ends_with('…')), (super::CHARS_MAX + 1, true));
    }
}
