//! Tools of a generated script, with arguments that fit and arguments that do not.

use std::sync::LazyLock;

use corpus::{Area, CaseInput};
use serde_json::{Value, json};

use super::Made;
use crate::source::{Choose, Source};

/// A real failure that can be sent through the loop.
struct Real {
    tool: String,
    schema: Value,
    input: Value,
}

/// Real failures with a schema and a value; argument text becomes a `raw` member.
static REAL: LazyLock<Vec<Real>> = LazyLock::new(|| {
    let cases = corpus::cases(Area::Arguments).unwrap_or_default();
    let real = cases.into_iter().filter_map(|case| {
        let schema = case.schema.clone()?;
        let input = match case.input {
            CaseInput::Raw(text) => json!({"raw": text}),
            CaseInput::Value(value) => json!({"arguments": value}),
            CaseInput::Text(_) => return None,
        };
        Some(Real { tool: case.tool.clone()?, schema, input })
    });
    real.filter(|real| is_tame(&real.schema) && is_tame(&real.input)).collect()
});

/// Whether both sides keep the order of keys, and nothing is beyond what they agree on.
fn is_tame(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().all(|(key, item)| {
            let wild = key.parse::<u32>().is_ok() || key.starts_with("__") || key.starts_with('$');
            !wild && is_tame(item)
        }),
        Value::Array(items) => items.iter().all(is_tame),
        Value::Number(number) => number.as_f64().is_some_and(|it| it.abs() < 1e15),
        Value::String(text) => text.len() < 2_000 && !text.contains("Received arguments"),
        Value::Null | Value::Bool(_) => true,
    }
}

pub(super) fn tools(source: &mut (impl Source + ?Sized), made: &mut Made) {
    probe(source, made);
    if source.chance(1, 2) {
        slow(source, made);
    }
    if made.hostile && source.chance(1, 2) {
        real(source, made);
    }
    if made.hostile && source.chance(1, 3) {
        builtin(source, made);
    }
    if made.hostile && source.chance(1, 5) {
        outer(made);
    }
}

fn probe(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let mut tool = json!({"name": "probe", "parameters": {
        "type": "object", "required": ["path"], "properties": {
            "path": {"type": "string"}, "n": {"type": "number"}, "flag": {"type": "boolean"},
            "list": {"type": "array", "items": {"type": "string"}},
        },
    }});
    let prepares = [
        Value::Null,
        json!([]),
        json!([{"step": "set", "at": "/args/path", "value": "/prepared"}]),
        json!([{"step": "return", "value": {"path": "/returned"}}]),
        json!([{"step": "throw", "message": "no preparation"}]),
        json!([{"step": "set", "at": "/args", "value": {"path": "/new"}}]),
    ];
    let few = if made.hostile { prepares.len() } else { 2 };
    let prepare = source.pick(&prepares[..few]);
    if !prepare.is_null() {
        tool["prepare"] = prepare.clone();
    }
    tool["execute"] = execution(source, made);
    if made.hostile && source.chance(1, 8) {
        tool["sequential"] = json!(true);
    }
    let mut calls = vec![
        json!({"arguments": {"path": "/ok"}}),
        json!({"arguments": {
            "path": "/ok", "n": 1, "flag": true, "list": ["a"],
        }}),
    ];
    if made.hostile {
        calls.extend(malformed());
    }
    made.calls.push(("probe".to_owned(), calls));
    made.tools.push(tool);
}

fn malformed() -> Vec<Value> {
    let values = [
        json!({}),
        json!({"path": null}),
        json!({"path": 5}),
        json!({"path": ["a"]}),
        json!({"file_path": "/alias"}),
        json!({"path": "/ok", "n": "10"}),
        json!({"path": "/ok", "n": "ten"}),
        json!({"path": "/ok", "n": null}),
        json!({"path": "/ok", "n": 1.5, "extra": {"a": [1, 2]}}),
        json!({"path": "/ok", "flag": "true"}),
        json!({"path": "/ok", "flag": "yes"}),
        json!({"path": "/ok", "list": "x"}),
        json!({"path": "/ok", "list": "[\"a\",\"b\"]"}),
        json!({"path": "/ok", "list": null}),
        json!("text"),
        json!("{\"path\":\"/double\"}"),
        json!(["path", "/ok"]),
        Value::Null,
    ];
    let texts = [
        "{\"path\":\"/x\"",
        "{\"path\":\"/x\",}",
        "{\"path\":\"/x",
        "{\"path\":\"a\nb\"}",
        "{\"path\":\"C:\\dir\\q\"}",
        "{'path':'/x'}",
        "{path:\"/x\"}",
        "```json\n{\"path\":\"/x\"}\n```",
        "{\"path\":\"/x\"} and more",
        "\"{\\\"path\\\":\\\"/x\\\"}\"",
        "[1,2]",
        "{\"path\":\"/x\",\"n\":}",
        "{\"path\":\"/x\" \"n\":1}",
        "{\"path\":\"/x\",\"flag\":True}",
        "",
        "   ",
        "just words",
    ];
    let values = values.into_iter().map(|value| json!({"arguments": value}));
    values.chain(texts.into_iter().map(|text| json!({"raw": text}))).collect()
}

fn slow(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let ms = *source.pick(&[12, 24]);
    made.tools.push(json!({
        "name": "slow", "parameters": {"type": "object"}, "execute": [{"step": "wait", "ms": ms}],
    }));
    made.calls
        .push(("slow".to_owned(), vec![json!({"arguments": {}}), json!({"arguments": {"a": 1}})]));
}

/// A tool with the schema of a real failure, called as it was called then.
fn real(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let real = source.pick(&REAL);
    let taken = ["probe", "slow", "outer", "read", "bash", "edit", "write", "grep", "find", "ls"];
    if taken.contains(&real.tool.as_str()) || real.tool.is_empty() {
        return;
    }
    made.tools.push(json!({"name": real.tool, "parameters": real.schema, "prepare": []}));
    made.calls.push((real.tool.clone(), vec![real.input.clone()]));
}

/// One of pi's own tools, whose schema and hook stay while the work is only told.
fn builtin(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let edits = json!([{"oldText": "a", "newText": "b"}]);
    let rows = [
        (
            "read",
            vec![
                json!({"path": "/ok"}),
                json!({"path": "/ok", "offset": "3", "limit": null}),
                json!({"path": null}),
                json!({"file_path": "/ok"}),
            ],
        ),
        (
            "edit",
            vec![
                json!({"path": "/ok", "edits": edits}),
                json!({"path": "/ok", "edits": "[{\"oldText\":\"a\",\"newText\":\"b\"}]"}),
                json!({"path": "/ok", "oldText": "a", "newText": "b"}),
                json!({"path": "/ok", "edits": {"oldText": "a", "newText": "b"}}),
                json!({"path": "/ok", "edits": "{\"oldText\":\"a\",\"newText\":\"b\"}"}),
                json!({"path": "/ok", "old_string": "a", "new_string": "b"}),
            ],
        ),
        ("bash", vec![json!({"command": "true"}), json!({"command": ["a"], "timeout": "5"})]),
    ];
    let (name, calls) = source.pick(&rows);
    let told = json!([{"step": "return", "value": {
        "content": [{"type": "text", "text": "told"}], "details": {"$event": "/args"},
    }}]);
    made.tools.push(json!({"name": name, "delegate": true, "execute": told}));
    let calls = calls.iter().map(|arguments| json!({"arguments": arguments})).collect();
    made.calls.push(((*name).to_owned(), calls));
}

/// A tool that calls another.
fn outer(made: &mut Made) {
    let result =
        json!({"content": [{"type": "text", "text": {"$event": "/nested/text"}}], "details": {}});
    made.tools.push(json!({"name": "outer", "parameters": {"type": "object"}, "execute": [
        {"step": "nested", "tool": "probe", "arguments": {"path": "/in"}},
        {"step": "return", "value": result},
    ]}));
    made.calls.push(("outer".to_owned(), vec![json!({"arguments": {}})]));
}

fn execution(source: &mut (impl Source + ?Sized), made: &Made) -> Value {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let ways = [
        json!([]),
        json!([{"step": "wait", "ms": 12}]),
        json!([{"step": "return", "value": {"content": text("own"), "details": {"a": 1}}}]),
        json!([{"step": "throw", "message": "the tool failed"}]),
        json!([{"step": "return", "value": {"content": text("end"), "details": {}, "terminate": true}}]),
        json!([{"step": "return", "value": {"content": text("bad"), "details": {}, "isError": true}}]),
        json!([{"step": "set", "at": "/args/path", "value": "/late"}]),
        json!([{"step": "act", "what": "abort"}]),
    ];
    let most = if made.is_wired() { ways.len() - 1 } else { ways.len() };
    let few = if made.hostile { most } else { 3 };
    source.pick(&ways[..few]).clone()
}
