//! Events as extensions get them: the recorder first, then the engine, then the script's handlers.

use std::rc::Rc;

use corpus::{Api, Origin, Step, brief};
use serde_json::{Value, json};

use super::{
    Sim, Way,
    live::Live,
    message::{self, Msg, briefs, shared},
    provider::PAUSE_MS,
    tick::ticks,
};

/// Events every trace records; a script adds others.
const WATCHED: &[&str] = &[
    "before_agent_start",
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "context",
    "tool_execution_start",
    "tool_call",
    "tool_result",
    "tool_execution_end",
    "turn_end",
    "agent_end",
    "agent_before_settle",
    "agent_settled",
    "session_before_compact",
    "session_compact",
    "session_compact_failed",
    "model_select",
];
/// Promises between a handler and the loop that waits for it.
const LAYERS: u32 = 4;

/// Who listens, in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Listener {
    Recorder,
    Extension,
    Handler(usize),
}

impl Sim {
    pub(super) fn listeners(&self, name: &str) -> Vec<Listener> {
        let watched = WATCHED.contains(&name) || self.script.watch.iter().any(|it| it == name);
        let recorder = watched.then_some(Listener::Recorder);
        let extension = self.extension.as_ref().map(|_| Listener::Extension);
        let handlers = self.script.handlers.iter().enumerate();
        let handlers =
            handlers.filter(|(_, it)| it.on == name).map(|(at, _)| Listener::Handler(at));
        recorder.into_iter().chain(extension).chain(handlers).collect()
    }

    /// Lets one listener have the event; what it returned, or what it threw.
    pub(super) async fn tell(
        self: &Rc<Self>,
        name: &str,
        listener: Listener,
        live: &mut Live,
    ) -> Result<Option<Value>, String> {
        match listener {
            Listener::Recorder => {
                self.log(Origin::X, name, &about(name, &live.value), members(name, &live.value));
                if name == "session_compact" && self.script.api != Api::Scripted {
                    self.sleep(PAUSE_MS).await;
                }
                ticks(1).await;
                Ok(None)
            }
            Listener::Extension => {
                let Some(extension) = self.extension.clone() else { return Ok(None) };
                live.run(|value| extension.at(name, value))
            }
            Listener::Handler(index) => {
                let handler = &self.script.handlers[index];
                let acts = self.may_act(index) && live.holds(&handler.condition);
                if !acts {
                    ticks(1).await;
                    return Ok(None);
                }
                self.count(index);
                let returned = self.steps(&handler.steps, live, None).await;
                ticks(2).await;
                returned
            }
        }
    }

    /// An event that nothing is decided by; what handlers throw is reported.
    pub(super) async fn emit(self: &Rc<Self>, name: &str, live: Live) {
        self.emit_through(name, live, LAYERS).await;
    }

    /// The same, where fewer or more promises stand between.
    pub(super) async fn emit_through(self: &Rc<Self>, name: &str, mut live: Live, layers: u32) {
        for listener in self.listeners(name) {
            if let Err(error) = self.tell(name, listener, &mut live).await {
                self.report(name, &error);
            }
        }
        ticks(layers).await;
    }

    pub(super) fn report(&self, on: &str, message: &str) {
        self.log.borrow_mut().error(on, message);
    }

    /// A message is complete; handlers may change it or put another of its role in its place.
    pub(super) async fn emit_message_end(self: &Rc<Self>, message: &Msg) {
        let mut current = message.clone();
        for listener in self.listeners("message_end") {
            let mut live = Live::new(json!({"type": "message_end"})).link("message", &current, "");
            let returned = self.tell("message_end", listener, &mut live).await;
            let replacement = match returned {
                Err(error) => {
                    self.report("message_end", &error);
                    continue;
                }
                Ok(value) => value.and_then(|value| value.get("message").cloned()),
            };
            let Some(replacement) = replacement.filter(|it| !it.is_null()) else { continue };
            if replacement["role"] != current.borrow()["role"] {
                let problem = "message_end handlers must return a message with the same role";
                self.report("message_end", problem);
                continue;
            }
            current = shared(replacement);
        }
        if !Rc::ptr_eq(&current, message) {
            let mut replacement = current.borrow().clone();
            if replacement.get("content").is_none_or(Value::is_null) {
                replacement["content"] = json!([]);
            }
            *message.borrow_mut() = replacement;
        }
        ticks(LAYERS).await;
    }

    /// The messages about to be sent; handlers get a copy without the prompt and may return others, and
    /// then, where the prompt is a message, one with it.
    pub(super) async fn emit_context(self: &Rc<Self>, messages: &[Msg]) -> Vec<Value> {
        let (system, visible): (Vec<Value>, Vec<Value>) =
            messages.iter().map(|it| it.borrow().clone()).partition(|it| it["role"] == "system");
        let visible = self.emit_messages("context", visible).await;
        let all = system.into_iter().chain(visible).collect();
        if self.profile.has(Way::SystemMessages) {
            return self.emit_messages("context_with_system", all).await;
        }
        all
    }

    async fn emit_messages(self: &Rc<Self>, name: &str, messages: Vec<Value>) -> Vec<Value> {
        let mut current = shared(Value::Array(messages));
        for listener in self.listeners(name) {
            let mut live = Live::new(json!({"type": name})).link("messages", &current, "");
            match self.tell(name, listener, &mut live).await {
                Err(error) => self.report(name, &error),
                Ok(Some(value)) if value["messages"].is_array() => {
                    current = shared(value["messages"].clone());
                }
                Ok(_) => {}
            }
        }
        let left = current.borrow().as_array().cloned();
        left.unwrap_or_default()
    }

    /// The payload a provider gets; handlers may return another.
    pub(super) async fn emit_payload(self: &Rc<Self>, payload: Value) -> Value {
        let mut current = shared(payload);
        for listener in self.listeners("before_provider_request") {
            let live = Live::new(json!({"type": "before_provider_request"}));
            let mut live = live.link("payload", &current, "");
            match self.tell("before_provider_request", listener, &mut live).await {
                Err(error) => self.report("before_provider_request", &error),
                Ok(Some(value)) => current = shared(value),
                Ok(None) => {}
            }
        }
        current.borrow().clone()
    }

    /// A compaction is about to begin; the last answer counts, a cancelling one at once.
    pub(super) async fn emit_before_compact(self: &Rc<Self>, mut live: Live) -> Option<Value> {
        let name = "session_before_compact";
        let mut result = None;
        for listener in self.listeners(name) {
            match self.tell(name, listener, &mut live).await {
                Err(error) => self.report(name, &error),
                Ok(Some(value)) => {
                    let cancels = truthy(&value["cancel"]);
                    result = Some(value);
                    if cancels {
                        break;
                    }
                }
                Ok(None) => {}
            }
        }
        result
    }

    /// Messages handlers add before a run.
    pub(super) async fn emit_before_agent_start(self: &Rc<Self>, prompt: &str) -> Vec<Value> {
        let name = "before_agent_start";
        let mut added = Vec::new();
        for listener in self.listeners(name) {
            let mut live = Live::new(json!({"type": name, "prompt": prompt}));
            match self.tell(name, listener, &mut live).await {
                Err(error) => self.report(name, &error),
                Ok(value) => {
                    let message = value.and_then(|value| value.get("message").cloned());
                    added.extend(message.filter(|it| !it.is_null()));
                }
            }
        }
        added
    }

    /// Steps in order; what `return` gave. `caller` is the call on whose behalf tools are nested.
    pub(super) async fn steps(
        self: &Rc<Self>,
        steps: &[Step],
        live: &mut Live,
        caller: Option<&str>,
    ) -> Result<Option<Value>, String> {
        let mut returned = None;
        for step in steps {
            if live.edit(step)? {
                continue;
            }
            match step {
                Step::Throw { message } => return Err(message.clone()),
                Step::Return { value } => returned = Some(live.fill(value)?),
                Step::Wait { ms } => self.sleep(*ms).await,
                Step::Record { name } => {
                    let mut saw = live.value.clone();
                    if let Some(members) = saw.as_object_mut() {
                        members.shift_remove("type");
                    }
                    self.log(Origin::H, name, "", Some(saw));
                }
                Step::Nested { tool, arguments } => {
                    let outcome = self.nest(caller, tool, arguments).await;
                    ticks(1).await;
                    let outcome = outcome?;
                    self.log(Origin::T, "nested", tool, Some(outcome.clone()));
                    live.value["nested"] = outcome;
                }
                Step::Act { what } => self.act_by_name(what),
                Step::Set { .. } | Step::Remove { .. } | Step::Append { .. } => {}
            }
        }
        Ok(returned)
    }
}

/// Whether JavaScript takes a value for true.
pub(super) fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// What an event is about, in a few words.
fn about(name: &str, event: &Value) -> String {
    let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
    let nested = if event.get("parentToolCallId").is_some() { " nested" } else { "" };
    match name {
        "message_start" => event["message"]["role"].as_str().unwrap_or_default().to_owned(),
        "message_end" => brief(&event["message"]),
        "context" | "context_with_system" => {
            briefs(event["messages"].as_array().into_iter().flatten())
        }
        "tool_execution_start" | "tool_call" | "tool_result" => text("toolName") + nested,
        "tool_execution_end" => {
            let error = if truthy(&event["isError"]) { " isError" } else { "" };
            text("toolName") + nested + error
        }
        "agent_before_settle" => flags(event, &["outcome"]),
        "agent_settled" => flags(event, &["aborted"]),
        "session_before_compact" | "session_compact" => flags(event, &["reason", "willRetry"]),
        "session_compact_failed" => {
            let error = match event["errorMessage"].as_str() {
                Some(error) if !error.is_empty() => format!(" error={error}"),
                _ => String::new(),
            };
            flags(event, &["reason", "willRetry", "aborted"]) + &error
        }
        "model_select" => event["model"]["id"].as_str().unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn flags(event: &Value, names: &[&str]) -> String {
    let flag = |name: &&str| {
        event.get(*name).map(|value| match value {
            Value::String(text) => format!("{name}={text}"),
            other => format!("{name}={other}"),
        })
    };
    names.iter().filter_map(flag).collect::<Vec<_>>().join(" ")
}

/// The members of an event that a trace keeps.
fn members(name: &str, event: &Value) -> Option<Value> {
    let keys: &[&str] = match name {
        "message_end" => return Some(json!({"message": message::normal(&event["message"])})),
        "tool_execution_start" => &["args"],
        "tool_call" => &["input"],
        "tool_result" => &["input", "content", "isError", "details"],
        "before_provider_request" => &["payload"],
        _ => return None,
    };
    let kept = keys.iter().filter_map(|key| Some(((*key).to_owned(), event.get(*key)?.clone())));
    Some(Value::Object(kept.collect()))
}
