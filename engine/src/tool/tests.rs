//! What a tool takes, refuses and passes early.

use serde_json::json;

use super::*;
use crate::{Limits, ToolConfig};

fn tool(schema: &Value, kind: &str) -> Tool {
    let entries = json!({"preprocessors": [{"kind": kind, "selector": "/path"}]});
    let config = ToolConfig::from_json(&entries).expect("a configuration");
    let spec =
        ToolSpec { name: "find".to_owned(), schema: schema.clone(), config, ..ToolSpec::default() };
    Tool::compile(spec).expect("compiles")
}

fn path() -> Value {
    json!({"required": ["path"],
        "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}})
}

#[test]
fn a_text_up_to_the_limit_is_repaired_and_a_valid_one_always_taken() {
    let tool = tool(&path(), "filesystem-path");
    for (text, less) in [
        (r#"{"path":"/x","limit":null}"#, "over-limit"),
        (r#"{"path":"/x",}"#, "over-limit"),
        (r#"{"path":"/x"}"#, "valid"),
    ] {
        let outcome = |bytes: usize| {
            let input_bytes_max = u32::try_from(bytes).expect("small");
            let limits = Limits { input_bytes_max, ..Limits::default() };
            let context = Context { limits, ..Context::default() };
            match tool.repair_text(text, None, &context) {
                Outcome::Unrepairable(refusal) => refusal.reason.id(),
                Outcome::Repaired { .. } => "repaired",
                _ => "valid",
            }
        };
        let whole = if less == "valid" { "valid" } else { "repaired" };
        assert_eq!((outcome(text.len()), outcome(text.len() - 1)), (whole, less), "{text}");
    }
}

#[test]
fn a_kind_that_is_not_known_is_observed() {
    let args = json!({"path": "/x", "limit": null});
    for (kind, seen) in [("glob", 0), ("crystal-ball", 1)] {
        let tool = tool(&path(), kind);
        let Outcome::Repaired { observations, .. } = tool.repair(&args, &Context::default()) else {
            panic!("{kind}: not repaired")
        };
        let unknown = observations.iter().filter(|seen| seen.kind == ObservationKind::UnknownKind);
        assert_eq!(unknown.count(), seen, "{kind}");
    }
}

#[test]
fn the_only_required_field_takes_a_bare_text() {
    for (schema, field) in [
        (path(), Some("path")),
        (json!({"required": ["a", "b"], "properties": {"a": {"type": "string"}}}), None),
        (json!({"required": ["a"], "properties": {"a": {"type": ["string", "null"]}}}), None),
        (json!({"required": ["a"], "properties": {"a": {"enum": ["x", "y"]}}}), None),
        (json!({"required": ["a"], "properties": {"a": {"type": "integer"}}}), None),
        (json!({"required": ["a"]}), None),
    ] {
        assert_eq!(tool(&schema, "glob").root_field(), field, "{schema}");
    }
    let tool = tool(&path(), "glob");
    assert!(tool.takes_bare("src/[id].ts") && !tool.takes_bare("{\"path\":"));
}

#[test]
fn a_list_is_read_whole_or_not_at_all() {
    let tool = tool(&path(), "glob");
    for (text, list) in [
        ("[1, 2]", Some(json!([1, 2]))),
        ("['a',]", Some(json!(["a"]))),
        ("[\"a\"", None),
        ("[1e400]", None),
        ("{\"a\":1}", None),
        ("a", None),
    ] {
        assert_eq!(tool.read_list(text), list, "{text}");
    }
}

#[test]
fn what_passes_early_is_accepted() {
    let (tool, context) = (tool(&path(), "glob"), Context::default());
    assert!(tool.accepts(&json!({"path": "/x"})) && !tool.accepts(&json!({"path": 5})));
    assert!(tool.passes_early(&json!({"path": "/x"}), &context));
    assert!(tool.passes_in_outline(r#"{"path":"x"}"#, &context));
    assert!(!tool.passes_in_outline(r#"{"limit":1}"#, &context));
}

#[test]
fn a_plainly_valid_text_passes_early() {
    let tool = tool(&path(), "glob");
    for (text, early) in [
        (r#"{"path":"x"}"#, true),
        (r#"{"path":"x","note":1}"#, true),
        (r#"{"path":"x","limit":1.0}"#, true),
        (r#"{"limit":1}"#, false),
        (r#"{"path":"x","arguments":{}}"#, false),
    ] {
        assert_eq!(tool.text_passes_early(text, &Context::default()), early, "{text}");
    }
}
