//! What a generated extension does at hooks.

use serde_json::{Value, json};

use super::Made;
use crate::source::{Choose, Source};

pub(super) fn handlers(source: &mut (impl Source + ?Sized), made: &mut Made) {
    for _ in 0..source.weighted(&[4, 4, 3, 2, 1]) {
        let (event, ways) = HOOKS[source.index(HOOKS.len())];
        let mut ways = ways();
        if made.is_wired() {
            // How far a stream got when it was aborted is a matter of milliseconds, and what a
            // real payload is replaced by changes how the stream is read.
            ways.retain(|(_, steps)| !steps.to_string().contains("abort"));
            ways.retain(|_| event != "before_provider_request");
            if ways.is_empty() {
                continue;
            }
        }
        let way = source.pick(&ways).clone();
        let mut handler = json!({"on": event, "steps": way.1});
        if let Some(condition) = way.0 {
            handler["if"] = condition;
        }
        if source.chance(1, 2) {
            handler["times"] = json!(source.range(1, 2));
        }
        made.handlers.push(handler);
    }
}

/// A condition, and steps.
type Way = (Option<Value>, Value);
/// An event, and what can be done at it.
type Hook = (&'static str, fn() -> Vec<Way>);

const HOOKS: &[Hook] = &[
    ("tool_call", tool_call),
    ("tool_result", tool_result),
    ("message_end", message_end),
    ("context", context),
    ("context_with_system", context),
    ("tool_execution_start", tool_execution_start),
    ("session_before_compact", session_before_compact),
    ("before_agent_start", before_agent_start),
    ("turn_end", turn_end),
    ("agent_end", abort_or_throw),
    ("agent_start", abort_or_throw),
    ("turn_start", abort_or_throw),
    ("message_start", abort_or_throw),
    ("tool_execution_end", abort_or_throw),
    ("session_compact", throw),
    ("session_compact_failed", throw),
    ("agent_settled", throw),
    ("agent_before_settle", throw),
    ("before_provider_request", before_provider_request),
];

fn always(steps: Value) -> Way {
    (None, steps)
}

fn text(words: &str) -> Value {
    json!([{"type": "text", "text": words}])
}

fn tool_call() -> Vec<Way> {
    vec![
        always(json!([{"step": "record", "as": "call"}])),
        (
            Some(json!({"/toolName": "probe"})),
            json!([{"step": "set", "at": "/input/path", "value": "/mutated"}]),
        ),
        always(json!([{"step": "set", "at": "/input", "value": {"path": "/reassigned"}}])),
        always(json!([{"step": "return", "value": {"input": {"path": "/returned"}}}])),
        always(json!([{"step": "return", "value": {"block": true, "reason": "not now"}}])),
        always(json!([{"step": "return", "value": {"block": true, "terminate": true}}])),
        always(json!([{"step": "throw", "message": "no call"}])),
        always(json!([{"step": "wait", "ms": 8}])),
        always(json!([{"step": "act", "what": "abort"}])),
        always(
            json!([{"step": "set", "at": "/input/n", "value": "ten"}, {"step": "record", "as": "call"}]),
        ),
    ]
}

fn tool_result() -> Vec<Way> {
    vec![
        always(json!([{"step": "record", "as": "result"}])),
        always(json!([{"step": "return", "value": {"content": text("replaced")}}])),
        always(json!([{"step": "return", "value": {"isError": true}}])),
        always(json!([{"step": "return", "value": {"isError": false, "details": {"d": 1}}}])),
        always(json!([{"step": "append", "at": "/content/0/text", "value": " +"}])),
        always(json!([{"step": "set", "at": "/content", "value": text("reassigned")}])),
        always(json!([
            {"step": "set", "at": "/content", "value": text("reassigned")},
            {"step": "return", "value": {"isError": true}},
        ])),
        always(json!([{"step": "throw", "message": "no result"}])),
        always(json!([{"step": "wait", "ms": 8}])),
        always(json!([{"step": "act", "what": "abort"}])),
    ]
}

fn message_end() -> Vec<Way> {
    let answer = json!({"/message/role": "assistant"});
    let stopped = json!({"/message/stopReason": "stop"});
    let copy = |patch: Value| json!({"message": {"$event": "/message", "$patch": patch}});
    let call = json!({
        "type": "toolCall", "id": "added-1", "name": "probe", "arguments": {"path": "/added"},
    });
    let add = |stop: Option<&str>| {
        let mut patch = vec![json!({"step": "set", "at": "/content/-", "value": call})];
        patch.extend(stop.map(|stop| json!({"step": "set", "at": "/stopReason", "value": stop})));
        copy(json!(patch))
    };
    let failing = copy(json!([
        {"step": "set", "at": "/stopReason", "value": "error"},
        {"step": "set", "at": "/errorMessage", "value": "server_error, says a handler"},
    ]));
    let mended = copy(json!([
        {"step": "set", "at": "/content/0/arguments", "value": {"path": "/mended"}},
        {"step": "remove", "at": "/content/0/argumentsError"},
    ]));
    let is_call = json!({"/message/content/0/type": "toolCall"});
    let is_text = json!({"/message/content/0/type": "text"});
    vec![
        (Some(is_text), json!([{"step": "append", "at": "/message/content/0/text", "value": "!"}])),
        (Some(stopped.clone()), json!([{"step": "return", "value": add(Some("toolUse"))}])),
        (Some(stopped), json!([{"step": "return", "value": add(None)}])),
        (
            Some(answer.clone()),
            json!([{"step": "return", "value": {"message": {"role": "user", "content": []}}}]),
        ),
        (
            Some(json!({"/message/stopReason": "toolUse"})),
            json!([{"step": "return", "value": failing}]),
        ),
        (Some(is_call), json!([{"step": "return", "value": mended}])),
        (
            Some(json!({"/message/role": "toolResult"})),
            json!([{"step": "return", "value": copy(json!([
                {"step": "set", "at": "/content", "value": text("rewritten")},
            ]))}]),
        ),
        (Some(answer), json!([{"step": "wait", "ms": 8}])),
        always(json!([{"step": "throw", "message": "no message"}])),
        always(json!([{"step": "act", "what": "abort"}])),
    ]
}

fn context() -> Vec<Way> {
    let note = json!({"role": "custom", "customType": "note", "content": "NOTE", "display": false});
    vec![
        always(json!([{"step": "set", "at": "/messages/-", "value": note}])),
        always(
            json!([{"step": "return", "value": {"messages": [{"$event": "/messages/0"}, note]}}]),
        ),
        always(json!([{"step": "throw", "message": "no context"}])),
        always(json!([{"step": "act", "what": "abort"}])),
        always(json!([{"step": "wait", "ms": 8}])),
    ]
}

fn tool_execution_start() -> Vec<Way> {
    vec![
        (
            Some(json!({"/toolName": "probe", "/args/path": "/ok"})),
            json!([{"step": "set", "at": "/args/path", "value": "/early"}]),
        ),
        always(json!([{"step": "throw", "message": "no start"}])),
        always(json!([{"step": "act", "what": "abort"}])),
    ]
}

fn session_before_compact() -> Vec<Way> {
    let kept = json!({"$event": "/preparation/firstKeptEntryId"});
    let tokens = json!({"$event": "/preparation/tokensBefore"});
    let summary = json!({"summary": "brought", "firstKeptEntryId": kept, "tokensBefore": tokens});
    vec![
        always(json!([{"step": "return", "value": {"compaction": summary}}])),
        always(json!([{"step": "return", "value": {"cancel": true}}])),
        always(json!([{"step": "throw", "message": "no compaction"}])),
        always(json!([{"step": "act", "what": "abort_compaction"}])),
        always(json!([{"step": "act", "what": "abort"}])),
        always(json!([{"step": "wait", "ms": 8}])),
    ]
}

fn before_agent_start() -> Vec<Way> {
    let message = json!({"customType": "note", "content": "hello", "display": true});
    vec![
        always(json!([{"step": "return", "value": {"message": message}}])),
        always(json!([{"step": "throw", "message": "no start"}])),
        always(json!([{"step": "wait", "ms": 8}])),
    ]
}

fn turn_end() -> Vec<Way> {
    vec![
        always(json!([{"step": "throw", "message": "no end"}])),
        always(json!([{"step": "wait", "ms": 8}])),
        always(json!([{"step": "act", "what": "abort"}])),
    ]
}

fn abort_or_throw() -> Vec<Way> {
    vec![
        always(json!([{"step": "throw", "message": "thrown"}])),
        always(json!([{"step": "act", "what": "abort"}])),
    ]
}

fn throw() -> Vec<Way> {
    vec![
        always(json!([{"step": "throw", "message": "thrown"}])),
        always(json!([{"step": "wait", "ms": 8}])),
    ]
}

fn before_provider_request() -> Vec<Way> {
    vec![
        always(json!([{"step": "return", "value": {"model": "other", "extra": 1}}])),
        always(json!([{"step": "throw", "message": "no payload"}])),
    ]
}
