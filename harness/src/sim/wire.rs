//! Argument text as pi's own code for the providers reads it, and how a stream ends.

use corpus::{Api, Turn};
use serde_json::{Map, Value, json};

use super::{hooks::truthy, js, partial};

/// Reads finished argument text: the arguments, and from 1.3 on why there are none.
pub(super) fn arguments(text: &str, keeps_errors: bool) -> (Value, Option<String>) {
    let nothing = || Value::Object(Map::new());
    if js::trim(text).is_empty() {
        return (nothing(), None);
    }
    let read = read(text, keeps_errors);
    if keeps_errors {
        let problem = match read {
            Ok(value) if value.is_object() => return (value, None),
            Ok(_) => "Tool arguments must be a JSON object".to_owned(),
            Err(problem) => problem,
        };
        return (nothing(), Some(format!("{problem}\n\nReceived arguments:\n{text}")));
    }
    let salvaged = || {
        let part = partial::parse(text).or_else(|| partial::parse(&escape(text, false)));
        part.filter(|value| !value.is_null()).unwrap_or_else(nothing)
    };
    (read.unwrap_or_else(|_| salvaged()), None)
}

/// JSON, or JSON once raw control characters and stray backslashes in strings are escaped.
fn read(text: &str, whole_codes: bool) -> Result<Value, String> {
    js::parse(text).or_else(|error| {
        let escaped = escape(text, whole_codes);
        let problem = format!("not JSON: {error}");
        if escaped == text { Err(problem) } else { js::parse(&escaped).map_err(|_| problem) }
    })
}

/// Escapes raw control characters in strings, and doubles backslashes that begin no escape; with
/// `whole_codes` also one before a code with too few digits.
fn escape(text: &str, whole_codes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut in_string = false;
    while let Some(char) = rest.next() {
        match char {
            '"' => {
                in_string = !in_string;
                out.push(char);
            }
            '\\' if in_string => match rest.clone().next() {
                Some('u') if whole_codes && !is_code(rest.as_str()) => out.push_str("\\\\"),
                Some(next) if "\"\\/bfnrtu".contains(next) => {
                    out.push('\\');
                    out.push(next);
                    rest.next();
                }
                _ => out.push_str("\\\\"),
            },
            control if in_string && control < ' ' => {
                let code = format!("\\u{:04x}", u32::from(control));
                out.push_str(&code);
            }
            other => out.push(other),
        }
    }
    out
}

fn is_code(rest: &str) -> bool {
    rest.chars().skip(1).take(4).filter(char::is_ascii_hexdigit).count() == 4
}

/// Pieces of text that follow one another become one block where the dialect has no blocks, and
/// empty ones none.
pub(super) fn gather(blocks: Vec<Value>, api: Api) -> Vec<Value> {
    let mut gathered: Vec<Value> = Vec::new();
    for block in blocks {
        let key = if block["type"] == "thinking" { "thinking" } else { "text" };
        let joins = api == Api::OpenaiCompletions && block["type"] != "toolCall";
        if let Some(last) =
            gathered.last_mut().filter(|last| joins && last["type"] == block["type"])
        {
            let text = |value: &Value| value[key].as_str().unwrap_or_default().to_owned();
            last[key] = json!(text(last) + &text(&block));
            continue;
        }
        if joins && block[key] == "" {
            continue;
        }
        gathered.push(block);
    }
    gathered
}

/// What is said of an HTTP status: each dialect's client has its own way with the body.
fn http_error(status: u16, body: &str, api: Api, wraps: bool) -> String {
    let none = || format!("{status} status code (no body)");
    let read: Value = match serde_json::from_str(body) {
        _ if body.is_empty() => return none(),
        Ok(read) if truthy(&read) => read,
        _ => return format!("{status} {body}"),
    };
    let message = |it: &Value| it["message"].as_str().map(str::to_owned);
    if api == Api::AnthropicMessages {
        return format!("{status} {}", message(&read).unwrap_or_else(|| read.to_string()));
    }
    let inner = read.get("error").filter(|inner| !inner.is_null()).cloned();
    let whole = wraps && (read.is_object() || read.is_array());
    match inner.or_else(|| whole.then_some(read)) {
        Some(error) if message(&error).is_some() => format!("{status}: {error}"),
        Some(error) => format!("{status} {error}"),
        None => none(),
    }
}

/// How a stream ends: by its reason, by a broken connection, or by an HTTP error.
///
/// `wraps`: a body of JSON counts as the error also where it has no `error`.
pub(super) fn finish(message: &mut Value, turn: &Turn, api: Api, wraps: bool) {
    let fail = |message: &mut Value, error: &str| {
        message["stopReason"] = json!("error");
        message["errorMessage"] = json!(error);
    };
    if let Some(status) = turn.status {
        let body = turn.error.as_deref().unwrap_or_default();
        return fail(message, &http_error(status, body, api, wraps));
    }
    if turn.die {
        return fail(message, "terminated");
    }
    let reason = match (turn.stop_reason(), api) {
        (stop @ ("stop" | "toolUse" | "length"), _) => stop,
        (other, Api::AnthropicMessages) => {
            return fail(message, &format!("Unhandled stop reason: {other}"));
        }
        (other, _) => return fail(message, &format!("Provider finish_reason: {other}")),
    };
    message["stopReason"] = json!(reason);
}
