//! What comes in as JSON text, and how a wrong one is answered.

use engine::{Context, StopReason};
use napi::{Error, Result};
use serde_json::{Map, Value};

/// An error of the caller's.
pub(crate) fn wrong(says: &str) -> Error {
    Error::from_reason(says.to_owned())
}

/// Reads an object that our own glue wrote.
pub(crate) fn object(text: &str) -> Result<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(wrong("an object was expected")),
        Err(error) => Err(wrong(&format!("an object was expected: {error}"))),
    }
}

/// A member that is a text.
pub(crate) fn text<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o str> {
    object.get(name).and_then(Value::as_str)
}

/// A member that is true.
pub(crate) fn flag(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// The items of a member that is a list.
pub(crate) fn list<'o>(object: &'o Map<String, Value>, name: &str) -> &'o [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The texts of a member that is a list.
pub(crate) fn texts<'o>(object: &'o Map<String, Value>, name: &str) -> Vec<&'o str> {
    list(object, name).iter().filter_map(Value::as_str).collect()
}

/// A clock reading of JavaScript, in milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a clock is positive and far below 2^53; anything else saturates"
)]
pub(crate) fn clock(now: f64) -> u64 {
    now as u64
}

/// What is known about the call whose context stands in `given`; the rest is as in `base`.
pub(crate) fn context<'c>(base: Context<'c>, given: &'c Map<String, Value>) -> Result<Context<'c>> {
    let mut context = base;
    if let Some(model) = text(given, "model") {
        context.model = Some(model);
    }
    if let Some(provider) = text(given, "provider") {
        context.provider = Some(provider);
    }
    if let Some(stop) = text(given, "stopReason") {
        context.stop_reason = StopReason::from_name(stop);
    }
    if let Some(policy) = text(given, "policy") {
        context.policy = policy.parse().map_err(|error| wrong(&format!("policy: {error}")))?;
    }
    if let Some(limits) = given.get("limits").and_then(Value::as_object) {
        for (name, value) in limits {
            let value = value.as_u64().ok_or_else(|| wrong("a limit is a whole number"))?;
            context.limits.set(name, value).map_err(|error| wrong(&error.to_string()))?;
        }
    }
    Ok(context)
}
