//! Values of any depth, and how to let go of them without overflowing the stack.

use std::{fmt, mem, ops::Deref};

use serde_json::Value;

/// Takes a value apart with an explicit stack.
///
/// Dropping a [`Value`] recurses once per level and aborts the process at some ten thousand;
/// this needs memory for the widest level only, and no stack.
pub fn dismantle(value: Value) {
    let mut waiting = vec![value];
    while let Some(next) = waiting.pop() {
        match next {
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => waiting.extend(fields.into_iter().map(|(_, field)| field)),
            _ => {}
        }
    }
}

/// A value that may be deeper than the stack allows, dismantled when it is dropped.
///
/// It cannot be cloned or compared, and its `Debug` form shows its kind only: each of these
/// would recurse.
#[derive(Default)]
pub struct Held(Value);

impl Held {
    /// Hands the value over; from here on its owner must see to [`dismantle`] if it is deep.
    pub fn into_inner(mut self) -> Value {
        mem::take(&mut self.0)
    }
}

impl From<Value> for Held {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Deref for Held {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        dismantle(mem::take(&mut self.0));
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Value::Array(_) => "Held(array)",
            Value::Object(_) => "Held(object)",
            _ => "Held(leaf)",
        })
    }
}
