//! A finished message: names and unreadable arguments of its calls, and calls that stand in its text.

use engine::grammar::{Action, Grammar, GrammarConfig, Handled, Message, Promoted, treat};
use engine::lifecycle::{Event, Feedback};
use engine::telemetry::LeakFacts;
use engine::{Change, Context, Outcome, StopReason};
use napi::Result;
use napi_derive::napi;
use serde_json::{Map, Value, json};

use crate::input::{clock, context, list, object, text, texts, wrong};
use crate::session::Session;

/// What stands before the raw text in what the host says of arguments it cannot read.
const RECEIVED: &str = "Received arguments:\n";

/// A call as the model sent it.
#[derive(Clone, Copy)]
struct Sent<'s> {
    id: &'s str,
    name: &'s str,
    now: f64,
}

/// What is to be done to a message.
#[derive(Default)]
struct Edits {
    calls: Vec<Value>,
    refused: Map<String, Value>,
    texts: Vec<Option<String>>,
    promoted: Vec<Value>,
}

#[napi]
impl Session {
    /// Treats a finished assistant message, `{"texts", "calls": [{"id", "name", "arguments",
    /// "argumentsError"}], "stopReason", "idPrefix"}`; `arguments` are JSON text. Nothing if it
    /// stays as it is.
    ///
    /// The answer says `texts` (null where one stays), `calls` (`{"id", "name", "args"}`, what
    /// is absent stays), `promoted` (`{"id", "name", "args"}`) and `refused` (message by id).
    #[napi(catch_unwind)]
    pub fn message(&mut self, given: String, now: f64) -> Result<Option<String>> {
        let given = object(&given)?;
        let stop = text(&given, "stopReason").unwrap_or_default().to_owned();
        let mut edits = Edits::default();
        for call in list(&given, "calls").iter().filter_map(Value::as_object) {
            self.mend(call, StopReason::from_name(&stop), now, &mut edits);
        }
        self.treat(&given, StopReason::from_name(&stop), now, &mut edits);
        let Edits { calls, refused, texts, promoted } = edits;
        let none = calls.is_empty() && refused.is_empty() && promoted.is_empty();
        if none && texts.iter().all(Option::is_none) {
            return Ok(None);
        }
        let answer =
            json!({"calls": calls, "refused": refused, "texts": texts, "promoted": promoted});
        Ok(Some(answer.to_string()))
    }

    /// What stands in the texts of a message and what would be done about it, and nothing else: the
    /// answer says `texts`, `leaks` and `promoted`. `given` may name `mode`, `families`, `model`,
    /// `provider`, `policy`, `stopReason`, `nativeCalls` and `unknownTools`.
    #[napi(catch_unwind)]
    pub fn scan(&self, given: String) -> Result<String> {
        let given = object(&given)?;
        let own = GrammarConfig::from_json(&Value::Object(given.clone())).and_then(Grammar::new);
        let own = own.map_err(|error| wrong(&error.to_string()))?;
        let texts = texts(&given, "texts");
        let native_calls = given.get("nativeCalls").and_then(Value::as_u64).unwrap_or_default();
        let message = Message {
            assistant: true,
            texts: &texts,
            native_calls: usize::try_from(native_calls).unwrap_or(usize::MAX),
            active: None,
        };
        let context = context(self.context(), &given)?;
        let treatment = treat(&message, &own, &self.tools.registry, &context);
        let leaks: Vec<Value> = treatment.leaks.iter().map(shown_leak).collect();
        let promoted = treatment.calls.iter().map(|call| {
            let changes: Vec<Value> = call.changes.iter().map(Change::to_json).collect();
            json!({"name": call.tool, "args": call.args, "family": call.family, "changes": changes})
        });
        let promoted: Value = promoted.collect();
        Ok(json!({"texts": treatment.texts, "leaks": leaks, "promoted": promoted}).to_string())
    }
}

/// A leak as data; its range is in bytes of UTF-8.
fn shown_leak(leak: &Handled) -> Value {
    json!({
        "part": leak.part,
        "range": [leak.range.start, leak.range.end],
        "family": leak.family,
        "spelling": leak.spelling,
        "state": leak.state.name(),
        "tools": leak.tools,
        "action": leak.action.name(),
        "closed": leak.closed,
        "refused": leak.refused,
    })
}

impl Session {
    /// Finds the tool a call means, and reads arguments that the host could not.
    fn mend(&mut self, call: &Map<String, Value>, stop: StopReason, now: f64, edits: &mut Edits) {
        let member = |name: &str| text(call, name).unwrap_or_default();
        let (id, name) = (member("id"), member("name"));
        let raw = text(call, "argumentsError");
        let known = self.tools.active.iter().any(|tool| tool == name);
        match raw {
            _ if id.is_empty() => {}
            None if known => {}
            None => self.mend_name(Sent { id, name, now }, member("arguments"), edits),
            Some(error) => {
                let raw = error.split_once(RECEIVED).map_or("", |(_, raw)| raw);
                self.mend_text(Sent { id, name, now }, (raw, stop), edits);
            }
        }
    }

    fn mend_name(&mut self, sent: Sent<'_>, args: &str, edits: &mut Edits) {
        let Sent { id, name, now } = sent;
        let meant = match self.refuse_name(name) {
            Ok(tool) => tool,
            Err(says) => {
                edits.refused.insert(id.to_owned(), says.into());
                return self.keep_unknown(name, now);
            }
        };
        let Ok(args) = serde_json::from_str::<Value>(args) else { return };
        let context = self.context();
        let call = self.tools.registry.repair_call(name, &args, &context);
        let facts = self.facts(&self.model, clock(now));
        let line = self.recorder.call(&self.tools.registry, &call, facts).to_line();
        let feedback = Feedback::from_call(&call, self.expectations(&meant));
        match &call.outcome {
            Outcome::Unrepairable(refusal) => {
                edits.refused.insert(id.to_owned(), refusal.message().into());
            }
            _ if call.tool != Some(meant.as_str()) => return,
            Outcome::Repaired { args, .. } => {
                edits.calls.push(json!({"id": id, "name": meant, "args": args}));
            }
            Outcome::Valid(_) | Outcome::Deferred(_) => {
                edits.calls.push(json!({"id": id, "name": meant}));
            }
        }
        self.keep(&line);
        self.announce(id, feedback, now);
    }

    /// Counts a name that no tool has; one that only an inactive tool has is none of these.
    fn keep_unknown(&mut self, name: &str, now: f64) {
        let call = self.tools.registry.repair_call(name, &Value::Null, &self.context());
        let facts = self.facts(&self.model, clock(now));
        let line = self.recorder.call(&self.tools.registry, &call, facts).to_line();
        if call.tool.is_none() {
            self.keep(&line);
        }
    }

    fn mend_text(&mut self, sent: Sent<'_>, (raw, stop): (&str, StopReason), edits: &mut Edits) {
        let Sent { id, name, now } = sent;
        let meant = match self.refuse_name(name) {
            Ok(tool) => tool,
            Err(says) => {
                edits.refused.insert(id.to_owned(), says.into());
                return;
            }
        };
        // A call inside the name stands against the text beside it: two sources, no proof.
        let resolved = self.tools.registry.resolve_name(name);
        let plain = resolved.is_ok_and(|it| it.arguments.is_none() && !it.announced);
        let Some(tool) = self.tools.registry.tool(&meant).filter(|_| plain) else { return };
        let context = Context { stop_reason: stop, ..self.context() };
        let outcome = tool.repair_text(raw, None, &context);
        let facts = self.facts(&self.model, clock(now));
        let line = self.recorder.outcome(tool, &outcome, facts).to_line();
        let mut changes: Vec<Change> = Vec::new();
        let args = match outcome {
            Outcome::Unrepairable(refusal) => {
                edits.refused.insert(id.to_owned(), refusal.message().into());
                self.keep(&line);
                return;
            }
            Outcome::Repaired { args, changes: made, .. } => {
                changes = made;
                args
            }
            Outcome::Valid(raw) | Outcome::Deferred(raw) => {
                let Ok(args) = serde_json::from_str(raw) else { return };
                args
            }
        };
        edits.calls.push(json!({"id": id, "name": meant, "args": args}));
        let feedback = Feedback::from_changes(&changes, self.expectations(&meant));
        self.keep(&line);
        self.announce(id, feedback, now);
    }

    /// Looks for calls in the texts.
    fn treat(&mut self, given: &Map<String, Value>, stop: StopReason, now: f64, edits: &mut Edits) {
        let texts = texts(given, "texts");
        let prefix = text(given, "idPrefix").unwrap_or_default();
        let active = self.recoverable();
        let message = Message {
            assistant: true,
            texts: &texts,
            native_calls: list(given, "calls").len(),
            active: Some(&active),
        };
        let context = Context { stop_reason: stop, ..self.context() };
        let treatment = treat(&message, &self.grammar, &self.tools.registry, &context);
        let lines: Vec<String> =
            treatment.leaks.iter().map(|leak| self.leak_line(leak, now)).collect();
        for line in &lines {
            self.keep(line);
        }
        edits.texts.clone_from(&treatment.texts);
        for (id, call) in treatment.with_ids(|at| format!("{prefix}{at}")) {
            self.announce_promoted(&id, &call, now);
            edits.promoted.push(json!({"id": id, "name": call.tool, "args": call.args}));
        }
    }

    fn leak_line(&self, leak: &Handled, now: f64) -> String {
        let action = match leak.action {
            Action::Observed => "observed",
            Action::Removed => "stripped",
            Action::Promoted => "promoted",
            Action::Preserved | Action::LeftAlone => "preserved",
        };
        let facts = LeakFacts {
            family: leak.family,
            action,
            reason: leak.refused.first().or(leak.closed.first()).copied(),
            tool: leak.tools.first().map(String::as_str),
        };
        let record =
            self.recorder.leak(&self.tools.registry, facts, self.facts(&self.model, clock(now)));
        record.to_line()
    }

    fn announce_promoted(&mut self, id: &str, call: &Promoted, now: f64) {
        self.announce(id, Some(Feedback::promoted(&call.tool, call.family)), now);
        let changes = Feedback::from_changes(&call.changes, self.expectations(&call.tool));
        self.announce(id, changes, now);
    }

    fn announce(&mut self, id: &str, feedback: Option<Feedback>, now: f64) {
        if let Some(feedback) = feedback {
            self.lifecycle.on(Event::Announced { id, feedback }, clock(now));
        }
    }
}
