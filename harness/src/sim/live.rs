//! An event as a handler holds it: a value, parts of which are objects that others hold too.

use corpus::Step;
use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::message::Msg;

/// An event; what is changed beneath a link is changed for everybody.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) value: Value,
    links: Vec<Link>,
}

#[derive(Debug)]
struct Link {
    at: String,
    cell: Msg,
    within: String,
}

impl Live {
    pub(super) fn new(value: Value) -> Self {
        Self { value, links: Vec::new() }
    }

    /// Puts what lies at `within` in `cell` at the member `key`, as the same object.
    pub(super) fn link(mut self, key: &str, cell: &Msg, within: &str) -> Self {
        if let Some(part) = cell.borrow().pointer(within) {
            self.value[key] = part.clone();
            let (at, within) = (format!("/{key}"), within.to_owned());
            self.links.push(Link { at, cell: cell.clone(), within });
        }
        self
    }

    /// Carries out a step that changes the event in place; false for a step of another kind.
    pub(super) fn edit(&mut self, step: &Step) -> Result<bool, String> {
        if let Step::Set { at, .. } | Step::Remove { at } | Step::Append { at, .. } = step {
            let event = self.value.clone();
            edit(step, &mut self.value, &event)?;
            self.links.retain(|link| link.at != *at);
            self.store();
            return Ok(true);
        }
        Ok(false)
    }

    /// Takes over the members that a handler returned; whether there were any.
    pub(super) fn take(&mut self, returned: &Value, keys: &[&str]) -> bool {
        let mut any = false;
        for key in keys {
            let Some(value) = returned.get(*key) else { continue };
            self.value[*key] = value.clone();
            self.links.retain(|link| link.at[1..] != **key);
            any = true;
        }
        any
    }

    /// Lets other code change the event in place; members it puts elsewhere stay linked.
    pub(super) fn run<T>(&mut self, act: impl FnOnce(&mut Value) -> T) -> T {
        let result = act(&mut self.value);
        self.store();
        result
    }

    fn store(&self) {
        for link in &self.links {
            let Some(part) = self.value.pointer(&link.at) else { continue };
            if let Some(place) = link.cell.borrow_mut().pointer_mut(&link.within) {
                *place = part.clone();
            }
        }
    }

    /// The value of a template, filled in from the event.
    pub(super) fn fill(&self, template: &Value) -> Result<Value, String> {
        fill(template, &self.value)
    }

    /// Whether every pointer leads to its value.
    pub(super) fn holds(&self, condition: &Map<String, Value>) -> bool {
        condition.iter().all(|(at, wanted)| self.value.pointer(at) == Some(wanted))
    }
}

fn fill(template: &Value, event: &Value) -> Result<Value, String> {
    match template {
        Value::Array(items) => items.iter().map(|item| fill(item, event)).collect(),
        Value::Object(map) => {
            if let Some(at) = map.get("$event").and_then(Value::as_str) {
                let mut copy = event.pointer(at).cloned().unwrap_or_default();
                for step in map.get("$patch").and_then(Value::as_array).into_iter().flatten() {
                    let step = Step::deserialize(step).map_err(|error| error.to_string())?;
                    edit(&step, &mut copy, event)?;
                }
                return Ok(copy);
            }
            let filled = map.iter().map(|(key, item)| Ok((key.clone(), fill(item, event)?)));
            filled.collect::<Result<Map<_, _>, String>>().map(Value::Object)
        }
        scalar => Ok(scalar.clone()),
    }
}

fn edit(step: &Step, root: &mut Value, event: &Value) -> Result<(), String> {
    match step {
        Step::Set { at, value } => {
            let value = fill(value, event)?;
            change(root, at, |parent, key| put(parent, key, value))
        }
        Step::Remove { at } => change(root, at, |parent, key| {
            match parent {
                Value::Object(map) => drop(map.shift_remove(key)),
                Value::Array(items) => {
                    if let Some(index) = key.parse().ok().filter(|index| *index < items.len()) {
                        items.remove(index);
                    }
                }
                _ => {}
            }
            Ok(())
        }),
        Step::Append { at, value } => change(root, at, |parent, key| {
            let old = member(parent, key).map_or("undefined".to_owned(), plain);
            put(parent, key, Value::from(format!("{old}{value}")))
        }),
        _ => Ok(()),
    }
}

fn member<'a>(parent: &'a Value, key: &str) -> Option<&'a Value> {
    match parent {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    }
}

/// A value as JavaScript puts it into a text.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => "[object Object]".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn put(parent: &mut Value, key: &str, value: Value) -> Result<(), String> {
    match parent {
        Value::Object(map) => {
            map.insert(key.to_owned(), value);
        }
        Value::Array(items) => {
            let at = if key == "-" { Some(items.len()) } else { key.parse().ok() };
            // A name on an array is a property that nobody who reads the array sees.
            let Some(at) = at else { return Ok(()) };
            if at >= items.len() {
                items.resize(at + 1, Value::Null);
            }
            items[at] = value;
        }
        Value::String(text) => {
            return Err(format!("Cannot create property '{key}' on string '{text}'"));
        }
        other => return Err(format!("Cannot create property '{key}' on {other}")),
    }
    Ok(())
}

fn change(
    root: &mut Value,
    at: &str,
    apply: impl FnOnce(&mut Value, &str) -> Result<(), String>,
) -> Result<(), String> {
    let (parent, key) = at.rsplit_once('/').unwrap_or(("", at));
    let key = key.replace("~1", "/").replace("~0", "~");
    match root.pointer_mut(parent) {
        None | Some(Value::Null) => Err(format!("script: nothing at {at}")),
        Some(parent) => apply(parent, &key),
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::shared;
    use super::*;
    use serde_json::json;

    fn set(at: &str, value: Value) -> Step {
        Step::Set { at: at.to_owned(), value }
    }

    #[test]
    fn a_change_beneath_a_link_is_seen_by_all_and_a_new_value_by_none() {
        let cell = shared(json!({"args": {"path": "/a"}}));
        let mut live = Live::new(json!({})).link("input", &cell, "/args");
        live.edit(&set("/input/path", json!("/b"))).expect("a path");
        assert_eq!(cell.borrow()["args"]["path"], "/b");
        live.edit(&set("/input", json!({"path": "/c"}))).expect("an object");
        live.edit(&set("/input/path", json!("/d"))).expect("a path");
        assert_eq!(cell.borrow()["args"]["path"], "/b");
    }

    #[test]
    fn templates_copy_from_the_event() {
        let live = Live::new(json!({"content": [{"text": "a"}]}));
        let patch = json!([{"step": "append", "at": "/text", "value": "b"}]);
        let template = json!({"got": {"$event": "/content/0", "$patch": patch}});
        assert_eq!(live.fill(&template), Ok(json!({"got": {"text": "ab"}})));
        assert_eq!(live.value["content"][0]["text"], "a");
    }
}
