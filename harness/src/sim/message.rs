//! Messages of a session: how they are shared, shown in a trace, and sent to a provider.

use std::{cell::RefCell, rc::Rc};

use corpus::brief;
use serde_json::{Map, Value, json};

use super::{hooks::truthy, js};

/// A message, shared by the session, the loop and handlers as one object.
pub(super) type Msg = Rc<RefCell<Value>>;

/// What stands in a request for a compacted past.
const SUMMARY_TOKEN: &str = "<summary>";
/// What stands in a trace for the prompt.
const SYSTEM_TOKEN: &str = "<system>";

pub(super) fn shared(value: Value) -> Msg {
    Rc::new(RefCell::new(value))
}

pub(super) fn role(message: &Msg) -> String {
    message.borrow()["role"].as_str().unwrap_or_default().to_owned()
}

pub(super) fn text_of(message: &Msg, key: &str) -> Option<String> {
    message.borrow()[key].as_str().map(str::to_owned)
}

pub(super) fn user(text: &str, now: u64) -> Msg {
    shared(json!({"role": "user", "content": [{"type": "text", "text": text}], "timestamp": now}))
}

/// The indices of the calls in a message.
pub(super) fn calls_of(message: &Msg) -> Vec<usize> {
    let message = message.borrow();
    let blocks = message["content"].as_array().into_iter().flatten().enumerate();
    blocks.filter(|(_, block)| block["type"] == "toolCall").map(|(index, _)| index).collect()
}

/// A message without moments, usage and provenance.
pub(super) fn normal(from: &Value) -> Value {
    let mut to = Map::new();
    let mut keep = |key: &str| {
        if let Some(value) = from.get(key) {
            to.insert(key.to_owned(), value.clone());
        }
    };
    keep("role");
    let role = from["role"].as_str().unwrap_or_default();
    if role == "compactionSummary" {
        keep("summary");
        return Value::Object(to);
    }
    if role == "custom" {
        keep("customType");
    }
    if role == "toolResult" {
        keep("toolCallId");
        keep("toolName");
        keep("details");
    }
    keep("stopReason");
    keep("errorMessage");
    if role == "toolResult" {
        to.insert("isError".to_owned(), json!(truthy(&from["isError"])));
    }
    let content = match role {
        "system" => json!(SYSTEM_TOKEN),
        _ => content(from.get("content").unwrap_or(&Value::Null)),
    };
    to.insert("content".to_owned(), content);
    Value::Object(to)
}

fn content(from: &Value) -> Value {
    match from {
        Value::String(text) => json!([{"type": "text", "text": text}]),
        Value::Array(blocks) => blocks.iter().map(block).collect(),
        other => other.clone(),
    }
}

fn block(from: &Value) -> Value {
    let keys: &[&str] = match from["type"].as_str() {
        Some("text") => &["type", "text"],
        Some("thinking") => &["type", "thinking"],
        Some("toolCall") => &["type", "id", "name", "arguments", "argumentsError"],
        _ => return from.clone(),
    };
    let kept = keys.iter().filter_map(|key| Some(((*key).to_owned(), from.get(*key)?.clone())));
    Value::Object(kept.collect())
}

/// `[user assistant(stop)]`, without system messages.
pub(super) fn briefs<'a>(messages: impl Iterator<Item = &'a Value>) -> String {
    let told: Vec<String> =
        messages.filter(|message| message["role"] != "system").map(brief).collect();
    format!("[{}]", told.join(" "))
}

/// What a provider gets of a message; `None` for kinds it never sees.
pub(super) fn sent(message: &Value) -> Option<Value> {
    let as_user = |content: Value| json!({"role": "user", "content": content});
    match message["role"].as_str()? {
        "compactionSummary" => Some(as_user(json!([{"type": "text", "text": SUMMARY_TOKEN}]))),
        "custom" => Some(as_user(content(&message["content"]))),
        "system" | "user" | "assistant" | "toolResult" => Some(message.clone()),
        _ => None,
    }
}

/// Code units of a text, as JavaScript counts them.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Tokens a message is taken for: a quarter of its characters.
pub(super) fn estimate(message: &Value) -> u64 {
    let role = message["role"].as_str().unwrap_or_default();
    let chars = match role {
        "compactionSummary" => length(message["summary"].as_str().unwrap_or_default()),
        "system" => return SYSTEM_TOKENS,
        _ => match &message["content"] {
            Value::String(text) => length(text),
            Value::Array(blocks) => blocks.iter().map(|it| block_length(it, role)).sum(),
            _ => 0,
        },
    };
    chars.div_ceil(4) as u64
}

/// The prompt and the declared tools; the exact figure differs with release and tools.
const SYSTEM_TOKENS: u64 = 1_500;

fn block_length(block: &Value, role: &str) -> usize {
    let of = |key: &str| length(block[key].as_str().unwrap_or_default());
    match (block["type"].as_str(), role) {
        (Some("text"), _) => of("text"),
        (Some("thinking"), "assistant") => of("thinking"),
        (Some("toolCall"), "assistant") => of("name") + length(&js::stringify(&block["arguments"])),
        _ => 0,
    }
}

/// Tokens an answer reports, if its report counts: failed answers and empty reports do not.
pub(super) fn usage(message: &Value) -> Option<u64> {
    let counts = message["role"] == "assistant"
        && message["stopReason"] != "aborted"
        && message["stopReason"] != "error";
    let total = reported(message);
    (counts && total > 0).then_some(total)
}

/// Tokens an answer reports, 0 without a report.
pub(super) fn reported(message: &Value) -> u64 {
    let usage = &message["usage"];
    let of = |key: &str| usage[key].as_u64().unwrap_or(0);
    match of("totalTokens") {
        0 => of("input") + of("output") + of("cacheRead") + of("cacheWrite"),
        total => total,
    }
}

/// Estimated tokens of a context, and the place of the last report it rests on.
pub(super) fn context_tokens(messages: &[Msg]) -> (u64, Option<usize>) {
    let last = messages.iter().rposition(|message| usage(&message.borrow()).is_some());
    let from = last.map_or(0, |at| at + 1);
    let trailing: u64 = messages[from..].iter().map(|message| estimate(&message.borrow())).sum();
    let base = last.and_then(|at| usage(&messages[at].borrow())).unwrap_or(0);
    (base + trailing, last)
}
