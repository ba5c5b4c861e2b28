//! Arguments of one call: repaired, refused, or left alone.

use engine::lifecycle::{Event, Feedback};
use engine::{CallOutcome, Change, Outcome, Reason, Refusal, names, reader};
use napi::Result;
use napi_derive::napi;
use serde_json::{Map, Value, json};

use crate::input::{clock, context, object, wrong};
use crate::session::Session;

/// An answer that has been given and not been settled.
#[derive(Debug, Default)]
pub(crate) struct Open {
    tool: String,
    args: Value,
    feedback: Option<Feedback>,
    line: String,
}

#[napi]
impl Session {
    /// Repairs the arguments of `tool`, given as JSON text; nothing if they are to be left alone.
    ///
    /// The answer is `{"outcome": "repaired", "args", "changes", "note", "rules"}` or `{"outcome":
    /// "unrepairable", "reason", "message", "issues"}`.
    #[napi(catch_unwind)]
    pub fn repair(
        &self,
        tool: String,
        args: String,
        given: Option<String>,
    ) -> Result<Option<String>> {
        let given = given.as_deref().map(object).transpose()?.unwrap_or_default();
        let context = context(self.context(), &given)?;
        let known = self.tools.registry.tool(&tool).ok_or_else(|| unknown(&tool))?;
        let outcome = known.repair_text(&args, None, &context);
        Ok(self.shown(&tool, &[], &outcome).map(|answer| answer.to_string()))
    }

    /// As [`Session::repair`], on the way to the host, where what was done is remembered for the
    /// result of the call, and counted. An answer must be settled before the next call.
    #[napi(catch_unwind)]
    pub fn prepare(&mut self, tool: String, args: String, now: f64) -> Option<String> {
        self.now = clock(now);
        let known = self.tools.registry.tool(&tool)?;
        let outcome = known.repair_text(&args, None, &self.context());
        let deferred = matches!(outcome, Outcome::Deferred(_));
        if deferred || matches!(outcome, Outcome::Valid(_)) {
            self.tell(&tool, &args, None, now);
            self.count(&tool, deferred);
            return None;
        }
        let line = self.recorder.outcome(known, &outcome, self.facts(&self.model, clock(now)));
        let answer = self.shown(&tool, &[], &outcome);
        let mut open = Open { tool, line: line.to_line(), ..Open::default() };
        if let Outcome::Repaired { args, changes, .. } = outcome {
            open.feedback = Feedback::from_changes(&changes, self.expectations(&open.tool));
            open.args = args;
        }
        self.open = Some(open);
        answer.map(|answer| answer.to_string())
    }

    /// Says that arguments are to be left alone, by an outline in which long texts are spelled
    /// `"\u0000"` and their length; false if the whole has to be given to [`Session::prepare`].
    #[napi(catch_unwind)]
    pub fn passes(&mut self, tool: String, outline: String, now: f64) -> bool {
        let Some(known) = self.tools.registry.tool(&tool).filter(|_| !self.by_arguments) else {
            return false;
        };
        if !known.passes_in_outline(&outline, &self.context()) {
            return false;
        }
        self.now = clock(now);
        self.tell(&tool, "", None, now);
        self.count(&tool, false);
        true
    }

    /// Says whether the last answer of [`Session::prepare`] was taken; if not, nothing was done.
    #[napi(catch_unwind)]
    pub fn settle(&mut self, taken: bool, now: f64) {
        let Some(open) = self.open.take() else { return };
        let Open { tool, args, feedback, line } = open;
        if taken {
            self.keep(&line);
        }
        let feedback = feedback.filter(|_| taken);
        self.lifecycle.on(Event::Prepared { tool: &tool, args: &args, feedback }, clock(now));
    }

    /// Resolves a name and repairs the arguments beside it; the answer also says `tool` and `name`,
    /// the changes to the name. Nothing if both are to be left alone.
    #[napi(catch_unwind)]
    pub fn repair_call(
        &self,
        name: String,
        args: String,
        given: Option<String>,
    ) -> Result<Option<String>> {
        let given = given.as_deref().map(object).transpose()?.unwrap_or_default();
        let context = context(self.context(), &given)?;
        let args: Value = serde_json::from_str(&args).map_err(|error| wrong(&error.to_string()))?;
        let call = self.tools.registry.repair_call(&name, &args, &context);
        Ok(self.shown_call(&call).map(|answer| answer.to_string()))
    }

    /// Finds the tool that `name` means: `{"tool", "rules"}` or `{"message"}`.
    #[napi(catch_unwind)]
    pub fn resolve_name(&self, name: String) -> String {
        match self.tools.registry.resolve_name(&name) {
            Ok(found) => {
                let rules: Vec<&str> = found.rules.iter().map(|rule| rule.id).collect();
                json!({"tool": found.tool, "rules": rules}).to_string()
            }
            Err(error) => json!({"message": error.to_string()}).to_string(),
        }
    }
}

impl Session {
    /// Tells the lifecycle of arguments that were left alone. Their text is read only where calls
    /// are told apart by it, since that costs as much as all the rest.
    fn tell(&mut self, tool: &str, text: &str, feedback: Option<Feedback>, now: f64) {
        let read = || serde_json::from_str(text).unwrap_or(Value::Null);
        let args = if self.by_arguments { read() } else { Value::Null };
        self.lifecycle.on(Event::Prepared { tool, args: &args, feedback }, clock(now));
    }

    /// An outcome as data; nothing for one that leaves everything alone.
    pub(crate) fn shown<T: ?Sized>(
        &self,
        tool: &str,
        name_changes: &[Change],
        outcome: &Outcome<'_, T>,
    ) -> Option<Value> {
        let mut answer = Map::new();
        let all: Vec<&Change> = match outcome {
            Outcome::Unrepairable(refusal) => return Some(refused(refusal)),
            Outcome::Repaired { args, changes, .. } => {
                answer.insert("args".to_owned(), args.clone());
                name_changes.iter().chain(changes).collect()
            }
            Outcome::Valid(_) | Outcome::Deferred(_) => name_changes.iter().collect(),
        };
        if all.is_empty() && answer.is_empty() {
            return None;
        }
        let shown: Vec<Value> = all.iter().map(|change| change.to_json()).collect();
        let feedback = Feedback::from_changes(all, self.expectations(tool));
        let note = feedback.as_ref().map(Feedback::note);
        answer.insert("outcome".to_owned(), "repaired".into());
        answer.insert("changes".to_owned(), shown.into());
        answer.insert("note".to_owned(), note.as_ref().map(|note| note.text.clone()).into());
        let rules = note.map(|note| note.rules).unwrap_or_default();
        answer.insert("rules".to_owned(), rules.into());
        Some(Value::Object(answer))
    }

    /// A whole call as data.
    pub(crate) fn shown_call(&self, call: &CallOutcome<'_>) -> Option<Value> {
        let tool = call.tool.unwrap_or_default();
        let mut answer = self.shown(tool, &call.name_changes, &call.outcome)?;
        if let (Some(answer), Some(tool)) = (answer.as_object_mut(), call.tool) {
            answer.insert("tool".to_owned(), tool.into());
        }
        Some(answer)
    }

    /// The message about a name that no active tool has; nothing if one has it, or is meant by it.
    pub(crate) fn refuse_name(&self, name: &str) -> std::result::Result<String, String> {
        let aliases = std::collections::BTreeMap::new();
        let known = names::Names { known: &self.tools.active, aliases: &aliases, read };
        match names::resolve(name, &known) {
            Ok(found) => Ok(found.tool),
            Err(error) => Err(format!("The call was not run. {error}")),
        }
    }
}

/// Reads an object out of a name: strict JSON only, every number exact.
fn read(text: &str) -> Option<Value> {
    let reading = reader::read(text, &reader::ReadOptions::default()).ok()?;
    (reading.liberties.is_empty() && reading.inexact.is_none()).then_some(reading.value)
}

/// A refusal as data.
fn refused(refusal: &Refusal) -> Value {
    let issues: Vec<Value> = refusal
        .issues
        .iter()
        .map(|issue| {
            json!({"pointer": issue.pointer.as_str(), "keyword": issue.keyword, "expected": issue.expected, "got": issue.got})
        })
        .collect();
    json!({
        "outcome": "unrepairable",
        "reason": refusal.reason.id(),
        "detail": detail(&refusal.reason),
        "message": refusal.message(),
        "issues": issues,
        "expected": refusal.expected,
        "fingerprint": format!("{:016x}", refusal.fingerprint),
    })
}

/// What a reason is about: the key, the limit, the place, where the text stopped.
fn detail(reason: &Reason) -> Option<String> {
    match reason {
        Reason::CutOff(stop) => stop.map(|stop| stop.to_string()),
        Reason::DuplicateKey(key) => Some(key.clone()),
        Reason::TooDeep(most) => Some(most.to_string()),
        Reason::OverLimit(name) => Some((*name).to_owned()),
        other => other.pointer().map(|at| at.as_str().to_owned()),
    }
}

fn unknown(tool: &str) -> napi::Error {
    wrong(&format!("`{tool}` is none of the session's tools"))
}
