//! Where each rule stops: values just beside the ones it mends, and small limits.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::passes::lies_in;
use crate::host::HostProfile;
use crate::{Context, Limits, Outcome, Pointer, Policy, Tool, ToolConfig, ToolSpec};

fn tool(schema: Value, config: &Value, host: Option<HostProfile>) -> Tool {
    let config = ToolConfig::from_json(config).expect("a configuration");
    let name = "example".to_owned();
    Tool::compile(ToolSpec { name, schema, config, host, ..ToolSpec::default() }).expect("compiles")
}

/// What comes of a value: the repaired one, the reason of a refusal, or the outcome's name.
fn outcome(tool: &Tool, before: &Value, context: &Context<'_>) -> String {
    match tool.repair(before, context) {
        Outcome::Repaired { args, .. } => args.to_string(),
        Outcome::Unrepairable(refusal) => refusal.reason.id().to_owned(),
        other => other.name().to_owned(),
    }
}

fn check(tool: &Tool, cases: &[(Value, &str)]) {
    for (before, after) in cases {
        assert_eq!(outcome(tool, before, &Context::default()), *after, "{before}");
    }
}

/// A tool with one required member of this schema, and what becomes of that member.
fn check_member(schema: &Value, cases: &[(Value, &str)]) {
    let whole = json!({"type": "object", "required": ["v"], "properties": {"v": schema}});
    let tool = tool(whole, &json!({}), None);
    for (before, after) in cases {
        let found = outcome(&tool, &json!({"v": before}), &Context::default());
        assert_eq!(found, *after, "{before} for {schema}");
    }
}

fn city() -> Value {
    json!({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}})
}

fn path() -> Value {
    json!({"type": "object", "properties": {"path": {"type": "string"}}})
}

fn file_for_path() -> Value {
    json!({"preprocessors": [{"kind": "alias", "selector": "/path", "aliases": ["file"]}]})
}

#[test]
fn a_wrapper_may_repeat_the_call_and_nothing_else() {
    let inner = json!({"city": "Oslo"});
    let oslo = r#"{"city":"Oslo"}"#;
    check(
        &tool(city(), &json!({}), None),
        &[
            (json!({"type": "function", "arguments": inner}), oslo),
            (json!({"id": "call_1", "arguments": inner}), oslo),
            (json!({"tool": "example", "arguments": inner}), oslo),
            (json!({"tool": "other", "arguments": inner}), "ambiguous-envelope"),
            (json!({"type": "shell", "arguments": inner}), "ambiguous-envelope"),
            (json!({"kind": "function", "arguments": inner}), "ambiguous-envelope"),
            (json!({"arguments": r#"{"city":"Oslo"}"#}), oslo),
            (json!({"id": "a", "type": "tool_use", "name": "example", "input": inner}), oslo),
            (
                json!({"id": "a", "type": "tool_use", "name": "example", "tool": "example",
                    "input": inner}),
                "misfit",
            ),
        ],
    );
}

#[test]
fn a_wrapper_holds_an_object_and_is_no_field() {
    let closed = json!({"type": "object", "additionalProperties": false,
        "properties": {"city": {"type": "string"}}});
    check(&tool(closed, &json!({}), None), &[(json!({"arguments": null}), "misfit")]);
    check(&tool(city(), &json!({}), None), &[(json!({"arguments": "Oslo"}), "misfit")]);
    let field = json!({"type": "object",
        "properties": {"arguments": {"type": "object", "required": ["a"]}}});
    check(&tool(field, &json!({}), None), &[(json!({"arguments": {"b": 1}}), "misfit")]);
}

#[test]
fn a_valid_wrapper_is_opened_only_if_the_tool_would_miss_what_it_holds() {
    let src = r#"{"path":"src"}"#;
    check(
        &tool(path(), &file_for_path(), None),
        &[
            (json!({"arguments": {"path": "src"}}), src),
            (json!({"arguments": r#"{"path":"src"}"#}), src),
            (json!({"arguments": {"file": "src"}}), src),
            (json!({"arguments": {"other": "src"}}), "valid"),
            (json!({"arguments": r#"{"other":"src"}"#}), "valid"),
        ],
    );
    let open = json!({"type": "object", "additionalProperties": true,
        "properties": {"path": {"type": "string"}}});
    check(&tool(open, &json!({}), None), &[(json!({"arguments": {"path": "src"}}), "valid")]);
}

#[test]
fn a_wrapper_goes_before_another_name_of_a_field_beside_it() {
    let named = json!({"preprocessors": [
        {"kind": "alias", "selector": "/path", "aliases": ["file", "name"]}]});
    check(
        &tool(path(), &named, None),
        &[
            (json!({"name": "example", "arguments": {"path": "src"}}), r#"{"path":"src"}"#),
            (json!({"file": "a", "arguments": {"path": "src"}}), "ambiguous-envelope"),
        ],
    );
    let field = json!({"type": "object", "required": ["path"],
        "properties": {"path": {"type": "string"}, "input": {"type": "object"}}});
    let (input, file) = (json!({"a": 1}), "src");
    check(
        &tool(field, &named, None),
        &[
            (json!({"input": input, "file": file}), r#"{"input":{"a":1},"path":"src"}"#),
            (json!({"args": "plain", "file": file}), r#"{"args":"plain","path":"src"}"#),
        ],
    );
}

#[test]
fn small_limits_do_not_make_a_valid_value_a_call() {
    let tool = tool(path(), &json!({}), None);
    for limits in [
        Limits { work_max: 0, ..Limits::DEFAULT },
        Limits { decodes_max: 0, ..Limits::DEFAULT },
        Limits { input_bytes_max: 0, ..Limits::DEFAULT },
    ] {
        let context = Context { limits, ..Context::default() };
        for inner in [json!({"other": 1}), json!(r#"{"other":1}"#)] {
            assert_eq!(outcome(&tool, &json!({"arguments": inner}), &context), "valid", "{inner}");
        }
    }
    let limits = Limits { decodes_max: 1, ..Limits::DEFAULT };
    let context = Context { limits, ..Context::default() };
    let twice = json!(r#"{"arguments":"{\"path\":\"src\"}"}"#);
    assert_eq!(outcome(&tool, &twice, &context), "over-limit");
}

#[test]
fn a_text_inside_is_read_up_to_the_limit() {
    let schema = json!({"type": "object",
        "properties": {"v": {"type": "array", "items": {"type": "string"}}}});
    let tool = tool(schema, &json!({}), None);
    for (input_bytes_max, after) in [(5, r#"{"v":["a"]}"#), (4, "over-limit")] {
        let limits = Limits { input_bytes_max, ..Limits::DEFAULT };
        let context = Context { limits, ..Context::default() };
        assert_eq!(outcome(&tool, &json!({"v": r#"["a"]"#}), &context), after);
    }
}

#[test]
fn a_list_of_one_is_opened_for_what_the_schema_describes() {
    check_member(&json!({"type": ["array", "string"], "minItems": 2}), &[(json!(["a"]), "misfit")]);
    check_member(&json!({"type": ["string", "null"]}), &[(json!([null]), "misfit")]);
    check_member(
        &json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
        &[
            (json!([{"a": 1}]), r#"{"v":{"a":1}}"#),
            (json!([{"b": 1}]), "misfit"),
            (json!([{"a": 1, "b": 1}]), "misfit"),
        ],
    );
    check(&tool(json!({"type": "string"}), &json!({}), None), &[(json!(["a"]), "misfit")]);
    check(&tool(path(), &json!({"rootField": "path"}), None), &[(json!(["src"]), "misfit")]);
}

#[test]
fn a_single_item_becomes_a_list_of_its_kind_only() {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    check_member(
        &texts,
        &[
            (json!("a"), r#"{"v":["a"]}"#),
            (json!("a, b"), "ambiguous-list"),
            (json!(""), "misfit"),
            (json!(" "), "misfit"),
        ],
    );
    for (schema, value) in [
        (
            json!({"type": ["array", "string"], "items": {"type": "string"}, "minLength": 5}),
            json!("a"),
        ),
        (json!({"type": "integer", "items": {"type": "string"}}), json!("a, b")),
        (json!({"type": "array", "items": {"type": ["string", "null"]}}), json!(null)),
        (json!({"type": "array"}), json!("a")),
        (json!({"type": "array", "items": {"type": "integer"}}), json!("5")),
        (json!({"type": "array", "prefixItems": [{"type": "string"}]}), json!("a")),
    ] {
        check_member(&schema, &[(value, "misfit")]);
    }
    check(&tool(texts, &json!({}), None), &[(json!("a"), "misfit")]);
}

#[test]
fn a_text_is_read_as_json_only_where_a_list_or_object_belongs() {
    for (schema, text, after) in [
        (json!({"type": ["string", "array"], "minLength": 9}), r#"["a"]"#, "misfit"),
        (json!({"type": "integer"}), "[1]", "misfit"),
        (
            json!({"type": "object", "properties": {"a": {"type": "integer"}}}),
            r#"[{"a":1}]"#,
            r#"{"v":{"a":1}}"#,
        ),
        (
            json!({"type": "array", "items": {"type": "number"}}),
            "[0.1234567890123456789012345]",
            "inexact-number",
        ),
        (json!({"type": "array", "items": {"type": "string"}}), r#"["a\bc"]"#, "ambiguous-escape"),
        (json!({"enum": ["done"], "minLength": 9}), "done", "misfit"),
    ] {
        check_member(&schema, &[(json!(text), after)]);
    }
}

#[test]
fn a_bare_text_is_no_number_and_assigns_nothing() {
    let tool = tool(path(), &json!({"rootField": "path"}), None);
    check(
        &tool,
        &[
            (json!("src/main.rs"), r#"{"path":"src/main.rs"}"#),
            (json!("src/main.rs:12"), r#"{"path":"src/main.rs:12"}"#),
            (json!("path=src/main.rs"), "not-plain"),
            (json!("12"), "not-plain"),
            (json!("true"), "not-plain"),
            (json!(""), "{}"),
            (json!([]), "{}"),
        ],
    );
}

#[test]
fn what_the_host_reads_itself_is_left_to_it() {
    let schema =
        json!({"type": "object", "required": ["v"], "properties": {"v": {"type": "integer"}}});
    let tool = tool(schema, &json!({}), Some(HostProfile::Pi085));
    check(&tool, &[(json!({"v": "80"}), "deferred"), (json!({"v": " 80 "}), r#"{"v":80}"#)]);
}

#[test]
fn a_repair_that_only_the_policy_forbids_says_so() {
    let schema = json!({"type": "object", "properties": {"v": {"enum": ["a & b"]}}});
    let config = json!({"preprocessors": [{"kind": "html-entities", "selector": "/v"}]});
    let tool = tool(schema, &config, None);
    let conservative = Context { policy: Policy::Conservative, ..Context::default() };
    for (text, policy, bolder) in
        [("a &amp; b", "withheld", r#"{"v":"a & b"}"#), ("a &amp; c", "misfit", "misfit")]
    {
        let before = json!({"v": text});
        assert_eq!(outcome(&tool, &before, &conservative), policy, "{text}");
        assert_eq!(outcome(&tool, &before, &Context::default()), bolder, "{text}");
    }
}

#[test]
fn notes_name_the_place_without_characters_that_end_it() {
    let schema = json!({"type": "object", "properties": {"a`b\nc": {"type": "integer"}}});
    let tool = tool(schema, &json!({}), None);
    let before = json!({"a`b\nc": "5"});
    let Outcome::Repaired { changes, .. } = tool.repair(&before, &Context::default()) else {
        panic!("not repaired")
    };
    let notes: Vec<&str> = changes.iter().map(|change| change.note.as_str()).collect();
    assert_eq!(notes, ["Read `a b c` from text: send the number itself."]);
}

#[test]
fn removals_are_told_behind_the_edits_of_their_pass() {
    let schema = json!({"type": "object", "properties":
        {"a": {"type": "integer"}, "b": {"type": "integer"}}});
    let tool = tool(schema, &json!({}), None);
    let before = json!({"a": null, "b": "5"});
    let Outcome::Repaired { changes, .. } = tool.repair(&before, &Context::default()) else {
        panic!("not repaired")
    };
    let rules: Vec<&str> = changes.iter().map(|change| change.rule).collect();
    assert_eq!(rules, ["schema.read-number", "schema.drop-null"]);
}

#[test]
fn a_union_is_repaired_in_the_one_way_that_fits() {
    let member = |a: Value| {
        json!({"type": "object", "required": ["a", "b"],
        "properties": {"a": a, "b": {"type": "integer"}}})
    };
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let (integer, number) = (json!({"type": "integer"}), json!({"type": "number"}));
    check_member(
        &json!({"anyOf": [member(integer.clone()), member(texts.clone())]}),
        &[(json!({"a": "5", "b": "x"}), "misfit"), (json!({"a": "5", "b": 1}), "ambiguous-union")],
    );
    check_member(
        &json!({"anyOf": [member(integer), member(number)]}),
        &[(json!({"a": "5", "b": 1}), r#"{"v":{"a":5,"b":1}}"#)],
    );
    let args = json!({"type": "object", "required": ["args"],
        "properties": {"args": {"anyOf": [texts, {"type": "integer"}]}}});
    check(
        &tool(args, &json!({}), None),
        &[
            (json!({"args": "ls"}), r#"{"args":["ls"]}"#),
            (json!({"args": "ls -la"}), "ambiguous-list"),
        ],
    );
}

#[test]
fn unions_within_unions_are_entered_six_deep() {
    for (levels, after) in [(6, "repaired"), (7, "unrepairable")] {
        let (mut schema, mut value) = (json!({"type": "integer"}), json!("5"));
        for _ in 0..levels {
            schema = json!({"anyOf": [
                {"type": "object", "required": ["v"], "properties": {"v": schema}},
                {"type": "null"}]});
            value = json!({"v": value});
        }
        let whole = json!({"type": "object", "required": ["v"], "properties": {"v": schema}});
        let tool = tool(whole, &json!({}), None);
        let value = json!({"v": value});
        assert_eq!(tool.repair(&value, &Context::default()).name(), after, "{levels}");
    }
}

#[test]
fn blanks_around_a_number_are_not_left_to_the_host_in_a_union_either() {
    let schema = json!({"type": "object", "required": ["v"],
        "properties": {"v": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}});
    for host in [HostProfile::Pi085, HostProfile::Pi15] {
        let tool = tool(schema.clone(), &json!({}), Some(host));
        check(&tool, &[(json!({"v": " 80 "}), r#"{"v":80}"#)]);
    }
}

#[test]
fn nobody_means_a_backspace_wherever_it_stands() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let tool = tool(schema, &json!({}), None);
    for odd in ["a\u{8}c", "a\u{c}c"] {
        for place in [json!(odd), json!(["x", odd]), json!({"x": [odd]})] {
            check(&tool, &[(json!({"n": "5", "v": place}), "ambiguous-escape")]);
        }
    }
    check(&tool, &[(json!({"n": "5", "v": ["a\tc"]}), r#"{"n":5,"v":["a\tc"]}"#)]);
}

#[test]
fn places_lie_in_what_is_around_them() {
    let at = Pointer::from_escaped;
    let edited = BTreeSet::from([at("/a/b")]);
    for (place, lies) in
        [("/a/b", true), ("/a/b/0/c", true), ("/a", false), ("/a/bc", false), ("", false)]
    {
        assert_eq!(lies_in(&edited, &at(place)), lies, "{place}");
    }
}

#[test]
fn an_escape_behind_a_drive_is_doubted_in_a_text_within_a_text() {
    check_member(
        &json!({"type": "object"}),
        &[
            (json!(r#"{"p":"C:\\temp"}"#), r#"{"v":{"p":"C:\\temp"}}"#),
            (json!(r#"{"p":"C:\temp"}"#), "ambiguous-escape"),
            (json!(r#"{"p":"a\tb"}"#), r#"{"v":{"p":"a\tb"}}"#),
        ],
    );
}

#[test]
fn what_a_union_reads_of_a_text_with_blanks_is_not_left_to_the_host() {
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let either =
        json!({"type": "object", "properties": {"v": {"anyOf": [list, {"type": "boolean"}]}}});
    for host in [HostProfile::Pi080, HostProfile::Pi085, HostProfile::Pi15] {
        let tool = tool(either.clone(), &json!({}), Some(host));
        let found = outcome(&tool, &json!({"v": ["5 "]}), &Context::default());
        assert_eq!(found, r#"{"v":[5]}"#, "{host:?}");
    }
}
