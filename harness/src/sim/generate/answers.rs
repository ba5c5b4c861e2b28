//! Answers of a generated provider.

use serde_json::{Value, json};

use super::Made;
use crate::source::{Choose, Source};

/// Errors of every kind the session tells apart.
const ERRORS: &[&str] = &[
    "server_error: try later",
    "529 overloaded",
    "rate limit reached",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "This model's maximum context length is 8192 tokens",
    "insufficient_quota",
    "invalid value 5000",
    "something else",
    "connection refused",
];

pub(super) fn turns(source: &mut (impl Source + ?Sized), made: &mut Made) {
    let count = source.range(1, 6);
    for index in 0..count {
        let turn = turn(source, made, index as usize + 1);
        made.turns.push(turn);
    }
    let done = json!({"content": [{"type": "text", "text": "done"}]});
    made.turns.push(done);
    if made.hostile && !made.is_wired() {
        for _ in 0..source.below(3) {
            let summary = summary(source);
            made.summaries.push(summary);
        }
    }
}

fn turn(source: &mut (impl Source + ?Sized), made: &mut Made, number: usize) -> Value {
    let mut content = Vec::new();
    if source.chance(1, 3) {
        content.push(json!({"type": "text", "text": source.pick(&["words", "more words"])}));
    }
    if source.chance(1, 8) {
        content.push(json!({"type": "thinking", "thinking": "hm"}));
    }
    for _ in 0..source.weighted(&[6, 8, 3, 1]) {
        let call = call(source, made);
        content.push(call);
    }
    if content.is_empty() {
        content.push(json!({"type": "text", "text": "words"}));
    }
    let mut turn = json!({"content": content});
    if made.hostile {
        spoil(source, made, &mut turn, number);
    }
    if source.chance(1, 6) {
        let input = *source.pick(&[18_500_u32, 19_500, 25_000]);
        turn["usage"] = json!({"input": input, "output": *source.pick(&[5_u32, 0, 5_000])});
    }
    turn
}

fn spoil(source: &mut (impl Source + ?Sized), made: &mut Made, turn: &mut Value, number: usize) {
    match source.weighted(&[10, 3, 2, 1, 1, 1, 1]) {
        1 => turn["error"] = json!(source.pick(ERRORS)),
        2 => turn["stop"] = json!("length"),
        3 => turn["stop"] = json!(if made.is_wired() { "toolUse" } else { "stop" }),
        4 => turn["stop"] = json!("toolUse"),
        5 if !made.is_wired() => turn["stop"] = json!("aborted"),
        6 if !made.is_wired() => {
            turn["hang"] = json!(true);
            made.hanging.push(number);
        }
        _ => {}
    }
    if made.is_wired() && turn.get("error").is_some() {
        // Over the wire an error is an HTTP status; what it becomes is not pi's own doing.
        if let Some(turn) = turn.as_object_mut() {
            turn.shift_remove("error");
        }
    }
    if source.chance(1, 10) {
        turn["delay_ms"] = json!(10);
    }
}

fn call(source: &mut (impl Source + ?Sized), made: &Made) -> Value {
    if made.hostile && source.chance(1, 12) {
        return json!({"type": "call", "name": "missing", "arguments": {"a": 1}});
    }
    let (name, ways) = source.pick(&made.calls);
    let mut call = source.pick(ways).clone();
    call["type"] = json!("call");
    call["name"] = json!(name);
    if !made.is_wired()
        && let Some(raw) = call["raw"].as_str().map(str::to_owned)
    {
        // Without a wire, text arrives as newer releases hand it over.
        call["arguments"] = json!({});
        call["arguments_error"] = json!(format!("not JSON\n\nReceived arguments:\n{raw}"));
        if let Some(call) = call.as_object_mut() {
            call.shift_remove("raw");
        }
    }
    call
}

fn summary(source: &mut (impl Source + ?Sized)) -> Value {
    let text = json!([{"type": "text", "text": "SUMMARY 2"}]);
    let ways = [
        json!({"content": text}),
        json!({"error": "server_error"}),
        json!({"error": "no access"}),
        json!({"content": text, "stop": "length"}),
        json!({"content": [{"type": "call", "name": "probe", "arguments": {"path": "/s"}}]}),
        json!({"content": text, "delay_ms": 10}),
    ];
    source.pick(&ways).clone()
}
