//! What a look tells: it is only worth its cost if it passes what is plainly valid.

use serde_json::{Value, json};

use super::*;
use crate::preprocess::KINDS;
use crate::{Context, ToolConfig};
use Sight::{Plain, Unsure, Valid};

fn acceptor(schema: &Value, entries: &Value) -> Acceptor {
    let config = ToolConfig::from_json(&json!({ "preprocessors": entries })).unwrap();
    Acceptor::compile(schema, &config.preprocessors).expect("something can be told")
}

/// What is told of a text, and of the value it says.
fn check(acceptor: &Acceptor, text: &str, expected: Sight) {
    // Some kinds' examples are for certain models or providers.
    let context = Context { model: Some("glm-4.6"), provider: Some("xai"), ..Context::default() };
    assert_eq!(acceptor.see_text(text, &context, Gate::admits), expected, "{text}");
    // A value has no escapes to be in doubt about.
    if let (Ok(value), false) = (serde_json::from_str(text), text.contains('\\')) {
        let seen = acceptor.see_value(&value, &context, Gate::admits);
        assert_eq!(seen, expected, "{text} as a value");
    }
}

/// Checks values of a member with this schema.
fn member(schema: &Value, expected: &[(&str, Sight)]) {
    let tool = json!({"type": "object", "properties": {"v": schema}});
    let acceptor = acceptor(&tool, &json!([]));
    for (value, sight) in expected {
        check(&acceptor, &format!("{{\"v\": {value}}}"), *sight);
    }
}

#[test]
fn plain_types_pass() {
    member(&json!({"type": "boolean"}), &[("true", Valid), ("false", Valid), ("null", Unsure)]);
    let optional = json!({"type": ["string", "null"]});
    member(&optional, &[("\"x\"", Valid), ("null", Valid), ("1", Unsure)]);
    member(&json!({"type": "number"}), &[("5", Valid), ("1.5", Valid), ("\"5\"", Unsure)]);
    let integer = [("5", Valid), ("5.5", Plain), ("01", Unsure), ("true", Unsure)];
    member(&json!({"type": "integer"}), &integer);
    member(&json!({"type": ["integer", "number"]}), &[("5", Valid), ("5.5", Valid)]);
    let described = json!({"type": "string", "title": "t", "description": "d", "default": "x"});
    member(&described, &[("\"x\"", Valid), ("1", Unsure)]);
    member(&json!(true), &[("1", Valid), ("[{}]", Valid)]);
}

#[test]
fn bounds_and_choices_hold() {
    let number = [("1", Valid), ("0", Unsure), ("4", Unsure), ("1.5", Plain)];
    member(&json!({"type": "number", "minimum": 1, "maximum": 3}), &number);
    member(&json!({"type": "integer", "minimum": 1, "maximum": 3}), &number);
    member(
        &json!({"type": "string", "minLength": 1, "maxLength": 2}),
        &[("\"a\"", Valid), ("\"éé\"", Valid), ("\"\"", Unsure), ("\"abc\"", Unsure)],
    );
    let chosen = [("\"a\"", Valid), ("\"c\"", Unsure), (r#""\u0061""#, Plain), ("1", Unsure)];
    member(&json!({"enum": ["a", "b"]}), &chosen);
    member(&json!({"const": "a"}), &chosen);
}

#[test]
fn lists_and_objects_pass_by_their_parts() {
    let items = json!({"type": "array", "items": {"type": "integer"}});
    member(&items, &[("[]", Valid), ("[1,2,3]", Valid), ("[\"a\"]", Unsure), ("[1 2]", Unsure)]);
    member(
        &json!({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}),
        &[("[1]", Valid), ("[1,2]", Valid), ("[]", Unsure), ("[1,2,3]", Unsure)],
    );
    member(
        &json!({"type": "object", "properties": {"a": {}, "b": {"type": "null"}},
            "required": ["a", "b"], "additionalProperties": false}),
        &[
            (r#"{"a":1,"b":null}"#, Valid),
            (r#"{"a":1}"#, Unsure),
            (r#"{"b":null}"#, Unsure),
            ("{}", Unsure),
            (r#"{"a":1,"b":null,"c":1}"#, Unsure),
        ],
    );
    member(
        &json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        &[
            (r#"{"x":1}"#, Valid),
            (r#"{"x":1,"y":2}"#, Valid),
            (r#"{"x":"a"}"#, Unsure),
            (r#"{"x":1,"y<":1}"#, Unsure),
        ],
    );
}

#[test]
fn the_only_alternative_of_a_type_is_taken() {
    let text = json!({"type": "string", "minLength": 2});
    let either = [("\"ab\"", Valid), ("\"a\"", Unsure), ("null", Valid), ("1", Unsure)];
    member(&json!({"anyOf": [text, {"type": "null"}]}), &either);
    let nested = json!({"anyOf": [{"anyOf": [text, {"type": "null"}]}, {"type": "boolean"}]});
    member(&nested, &either);
    let twice = json!({"anyOf": [text, {"type": "string"}]});
    member(&twice, &[("\"a\"", Plain), ("1", Unsure)]);
    member(&json!({"anyOf": [twice, {"type": "boolean"}]}), &[("\"a\"", Plain), ("true", Valid)]);
}

#[test]
fn what_is_not_understood_is_left_to_the_validator() {
    let members: Value = (0..65).map(|at| (format!("m{at}"), json!({}))).collect();
    for (schema, value) in [
        (json!({"type": "string", "pattern": "^a"}), "\"b\""),
        (json!({"type": "string", "$defs": {}}), "\"b\""),
        (json!({"enum": ["a", 1]}), "\"a\""),
        (json!({"anyOf": [{"type": "string"}], "oneOf": [{"type": "integer"}]}), "\"a\""),
        (json!({"type": "object", "properties": members}), r#"{"m0":1}"#),
        (json!(false), "1"),
    ] {
        member(&schema, &[(value, Plain)]);
    }
}

#[test]
fn a_measured_text_passes_where_every_text_of_its_length_does() {
    let tool = json!({"properties": {"v": {"type": "string", "minLength": 2, "maxLength": 3}}});
    let acceptor = acceptor(&tool, &json!([]));
    for (units, expected) in [("3", Valid), ("2", Plain), ("4", Plain), ("", Plain)] {
        let outline = format!(r#"{{"v":"\u0000{units}"}}"#);
        let seen = acceptor.see_outline(&outline, &Context::default(), Gate::admits);
        assert_eq!(seen, expected, "{outline}");
    }
}

#[test]
fn a_place_where_a_preprocessor_may_act_is_not_passed() {
    for kind in KINDS {
        let schema = serde_json::from_str(kind.example.schema).unwrap();
        let entry: Value = serde_json::from_str(kind.example.entry).unwrap();
        check(&acceptor(&schema, &json!([entry])), kind.example.before, Unsure);
    }
    let tool = json!({"properties": {"v": {"type": "string", "pattern": "x"},
        "open": {"type": "array"}, "list": {"type": "array", "items": {"type": "string"}}}});
    let entry = |kind: &str, selector: &str| json!({"kind": kind, "selector": selector});
    for (entry, text, expected) in [
        (entry("filesystem-path", "/v"), r#"{"v":"x"}"#, Unsure),
        (entry("filesystem-path", "/open/*"), r#"{"open":["x"]}"#, Unsure),
        (entry("filesystem-path-array", "/open"), r#"{"open":["x"]}"#, Unsure),
        (entry("filesystem-path-array", "/list"), r#"{"list":["x"]}"#, Valid),
        (entry("filesystem-path-array", "/list"), r#"{"list":["[x](http://x)"]}"#, Unsure),
        (entry("scalar", "/list"), r#"{"open":[]}"#, Valid),
        (entry("alias", ""), r#"{"list":["x"]}"#, Valid),
    ] {
        check(&acceptor(&tool, &json!([entry])), text, expected);
    }
    for name in WRAPPERS {
        check(&acceptor(&tool, &json!([])), &format!("{{\"{name}\":1}}"), Unsure);
    }
}
