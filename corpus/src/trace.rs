//! Traces: what happened when a script ran, and the lines that claims look at.
//!
//! The format is described in `corpus/data/scripts/README.md`.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{error::CorpusError, lines::bare_message};

/// Everything that happened; equal scripts give equal traces.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Version of the format.
    pub format: u32,
    /// The script's name.
    pub script: String,
    /// The release that ran it, or that was played.
    pub pi: String,
    /// Events in order.
    pub events: Vec<Event>,
    /// The session's messages at the end.
    pub transcript: Vec<Value>,
    /// Kinds of the session's entries.
    pub entries: Vec<String>,
    /// What handlers threw and pi reported.
    pub errors: Vec<HandlerError>,
    /// User actions that were rejected.
    pub failures: Vec<ActionError>,
    /// Answers to questions.
    pub answers: Vec<Answered>,
}

/// One event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Who tells.
    pub from: Origin,
    /// Its name.
    pub name: String,
    /// What it is about, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// What was handed over with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saw: Option<Value>,
}

impl Event {
    /// `FROM:NAME WHAT`.
    pub fn label(&self) -> String {
        match &self.what {
            Some(what) => format!("{:?}:{} {what}", self.from, self.name),
            None => format!("{:?}:{}", self.from, self.name),
        }
    }

    fn is(&self, from: Origin, name: &str) -> bool {
        self.from == from && self.name == name
    }
}

/// Who tells of an event.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Origin {
    /// The user.
    U,
    /// The extension, of an event of pi's.
    X,
    /// The session, of an event extensions do not see.
    S,
    /// A hook of a tool.
    T,
    /// The provider.
    P,
    /// A step of a handler.
    H,
}

/// What a handler threw.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct HandlerError {
    /// The event.
    pub on: String,
    /// What was reported.
    pub message: String,
}

/// A user action that was rejected.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ActionError {
    /// The action.
    pub action: String,
    /// What it was rejected with.
    pub message: String,
}

/// The answer to one part of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Answered {
    /// What was asked about.
    pub of: String,
    /// The answer.
    pub is: Value,
}

/// A way to look at a trace, one line for each thing that happened.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// Labels of all events.
    Events,
    /// Labels with what was handed over, as compact JSON.
    Saw,
    /// `TOOL ARGUMENTS` of each execution of a tool the script defines.
    Executed,
    /// `TOOL ok|error: TEXT` of each result in the transcript.
    Results,
    /// Briefs of each request of the loop.
    Requests,
    /// `N ROLE: CONTENT` of each message of the nth request.
    Sent,
    /// `BRIEF: CONTENT` of each message in the transcript.
    Transcript,
    /// Kinds of the session's entries.
    Entries,
    /// `EVENT: MESSAGE` of what handlers threw.
    Errors,
    /// `ACTION: MESSAGE` of rejected actions.
    Failures,
    /// `OF -> IS` of answers, as compact JSON.
    Answers,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

impl Trace {
    /// The lines of one view.
    pub fn view(&self, view: View) -> Vec<String> {
        match view {
            View::Events => self.events.iter().map(Event::label).collect(),
            View::Saw => self.events.iter().filter_map(seen).collect(),
            View::Executed => self.events.iter().filter_map(executed).collect(),
            View::Results => self.transcript.iter().filter_map(result).collect(),
            View::Requests => {
                self.requests().map(|event| event.what.clone().unwrap_or_default()).collect()
            }
            View::Sent => self.sent(),
            View::Transcript => self.transcript.iter().map(told).collect(),
            View::Entries => self.entries.clone(),
            View::Errors => {
                self.errors.iter().map(|it| format!("{}: {}", it.on, it.message)).collect()
            }
            View::Failures => {
                self.failures.iter().map(|it| format!("{}: {}", it.action, it.message)).collect()
            }
            View::Answers => {
                self.answers.iter().map(|it| format!("{} -> {}", it.of, it.is)).collect()
            }
        }
    }

    /// The requests of the loop, in order.
    pub fn requests(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| event.is(Origin::P, "request"))
    }

    fn sent(&self) -> Vec<String> {
        let messages = |event: &Event| {
            event
                .saw
                .as_ref()
                .and_then(|saw| saw["messages"].as_array().cloned())
                .unwrap_or_default()
        };
        let numbered = self.requests().zip(1..);
        numbered
            .flat_map(|(event, number)| {
                messages(event).into_iter().map(move |message| {
                    format!("{number} {}: {}", role(&message), content(&message))
                })
            })
            .collect()
    }
}

fn seen(event: &Event) -> Option<String> {
    event.saw.as_ref().map(|saw| format!("{} {saw}", event.label()))
}

fn executed(event: &Event) -> Option<String> {
    let saw = event.saw.as_ref().filter(|_| event.is(Origin::T, "execute"))?;
    Some(format!("{} {}", event.what.as_deref().unwrap_or_default(), saw["args"]))
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

fn result(message: &Value) -> Option<String> {
    (role(message) == "toolResult").then(|| {
        let outcome = if message["isError"] == true { "error" } else { "ok" };
        let tool = message["toolName"].as_str().unwrap_or_default();
        format!("{tool} {outcome}: {}", content(message))
    })
}

fn told(message: &Value) -> String {
    let error = match message["errorMessage"].as_str() {
        Some(error) => format!(" error={error}"),
        None => String::new(),
    };
    format!("{}: {}{error}", brief(message), content(message))
}

/// A message in a few words: `user`, `assistant(toolUse,2call)`, `toolResult(probe,error)`.
pub fn brief(message: &Value) -> String {
    let blocks = message["content"].as_array();
    let is_call = |block: &&Value| block["type"] == "toolCall";
    let calls = blocks.map_or(0, |blocks| blocks.iter().filter(is_call).count());
    match role(message) {
        "assistant" => {
            let stop = message["stopReason"].as_str().unwrap_or("undefined");
            let calls = if calls > 0 { format!(",{calls}call") } else { String::new() };
            format!("assistant({stop}{calls})")
        }
        "toolResult" => {
            let error = if message["isError"] == true { ",error" } else { "" };
            format!("toolResult({}{error})", message["toolName"].as_str().unwrap_or_default())
        }
        other => other.to_owned(),
    }
}

/// Texts as they stand, calls as `NAME ARGUMENTS`, joined by ` | `.
fn content(message: &Value) -> String {
    let Some(blocks) = message["content"].as_array() else {
        let words = message["content"].as_str().or(message["summary"].as_str());
        return words.unwrap_or_default().to_owned();
    };
    let parts: Vec<String> = blocks.iter().map(block).collect();
    parts.join(" | ")
}

fn block(block: &Value) -> String {
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match block["type"].as_str() {
        Some("text") => text("text").to_owned(),
        Some("thinking") => format!("({})", text("thinking")),
        Some("toolCall") => format!("{} {}", text("name"), block["arguments"]),
        _ => block.to_string(),
    }
}

/// Reads one trace; `file` names the text in errors.
///
/// # Errors
///
/// Text that is no trace of this format.
pub fn parse_trace(file: &str, text: &str) -> Result<Trace, CorpusError> {
    serde_json::from_str(text).map_err(|error| {
        let remedy = "record it again with `pi-drift record`";
        CorpusError::new(file, bare_message(&error), remedy).at(error.line())
    })
}
