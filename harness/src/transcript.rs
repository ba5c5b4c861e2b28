//! Transcripts of sessions as data: the events an advisor hears and the requests it may add notes to.

use std::fmt;

use engine::advisor::{
    Advisor, AdvisorContext, Assistant, CLASSES, CompactReason, Ending, HostEvent, Message, Model,
    Note, Usage, Warning,
};
use serde_json::{Value, json};

/// The clock at the first step; any time that is not 0 would do.
const START_MS: u64 = 1_800_000_000_000;
/// From one step to the next, unless the step says otherwise.
const STEP_MS: u64 = 1_000;

/// A session, step by step.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    /// What it shows.
    pub about: String,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// When it happens, in milliseconds since 1970.
    pub at_ms: u64,
    /// What happens.
    pub what: What,
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum What {
    /// An event, and whether it must give a warning.
    Event {
        /// The event.
        event: HostEvent,
        /// A warning to the user is expected.
        warns: bool,
    },
    /// A request is about to be sent.
    Request {
        /// The messages, oldest first.
        messages: Vec<Message>,
        /// The model that will be asked.
        model: Option<Model>,
        /// The notes expected, if the transcript says.
        notes: Option<Vec<Value>>,
    },
}

/// A text that is no transcript, with the step at fault.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TranscriptError {
    /// The step, counted from 1; 0 for the whole.
    pub step: usize,
    /// What is wrong and what to do.
    pub problem: String,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => out.write_str(&self.problem),
            step => write!(out, "step {step}: {}", self.problem),
        }
    }
}

impl std::error::Error for TranscriptError {}

/// What an advisor answered to one step.
#[derive(Clone, Debug)]
pub struct Answer<'t> {
    /// The step, counted from 1.
    pub step: usize,
    /// The step itself.
    pub what: &'t What,
    /// A warning to the user.
    pub warning: Option<Warning>,
    /// The notes; only ever given to requests.
    pub notes: Vec<Note>,
}

impl Transcript {
    /// Reads a transcript: an object with `steps`, a list of steps, or one step a line. Lines of a
    /// session file (`"type": "message"`, `"type": "compaction"`) are steps too.
    ///
    /// A transcript without a request ends with one, as the next prompt would send it.
    ///
    /// # Errors
    ///
    /// [`TranscriptError`] for the first step that is none; also if there is no step at all.
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        let mut reading = Reading { now_ms: START_MS, ..Reading::default() };
        let about = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(whole)) if whole.contains_key("steps") => {
                reading
                    .read_all(whole.get("steps").and_then(Value::as_array).into_iter().flatten())?;
                text_of(&Value::Object(whole), "about").to_owned()
            }
            Ok(Value::Array(steps)) => {
                reading.read_all(steps.iter())?;
                String::new()
            }
            _ => {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                for (line, number) in lines.zip(1..) {
                    let step = serde_json::from_str(line).map_err(|error| TranscriptError {
                        step: number,
                        problem: format!("is not JSON: {error}; write one JSON object a line"),
                    })?;
                    reading.read(&step, number)?;
                }
                String::new()
            }
        };
        reading.finish(about)
    }

    /// Runs an advisor over the transcript; steps without an answer are left out, requests are not.
    pub fn run(&self, mut advisor: Advisor) -> Vec<Answer<'_>> {
        let mut answers = Vec::new();
        for (Step { at_ms, what }, step) in self.steps.iter().zip(1..) {
            let mut answer = Answer { step, what, warning: None, notes: Vec::new() };
            match what {
                What::Event { event, .. } => answer.warning = advisor.on(event, *at_ms),
                What::Request { messages, model, .. } => {
                    let context = AdvisorContext { now_ms: *at_ms, model: model.clone() };
                    answer.notes = advisor.notes(messages, &context);
                }
            }
            let request = matches!(what, What::Request { .. });
            if request || answer.warning.is_some() {
                answers.push(answer);
            }
        }
        answers
    }

    /// How the answers differ from what the transcript expects, one line each.
    pub fn differences(&self, answers: &[Answer<'_>]) -> Vec<String> {
        let mut lines = Vec::new();
        for (Step { what, .. }, step) in self.steps.iter().zip(1..) {
            let answer = answers.iter().find(|answer| answer.step == step);
            match what {
                What::Event { warns, .. } => {
                    if *warns != answer.is_some_and(|answer| answer.warning.is_some()) {
                        lines.push(format!("step {step}: warning expected: {warns}"));
                    }
                }
                What::Request { notes: Some(wanted), .. } => {
                    let given = answer.map(|answer| answer.notes.as_slice()).unwrap_or_default();
                    lines.extend(differences_of(step, wanted, given));
                }
                What::Request { notes: None, .. } => {}
            }
        }
        lines
    }
}

/// Reads each of these steps as one session; `None` for one that no advisor hears.
///
/// # Errors
///
/// As [`Transcript::parse`].
pub fn steps(listed: &[Value]) -> Result<Vec<Option<Step>>, TranscriptError> {
    let mut reading = Reading { now_ms: START_MS, ..Reading::default() };
    let read = |(step, number): (&Value, usize)| {
        let before = reading.steps.len();
        reading.read(step, number)?;
        Ok(reading.steps.get(before).cloned())
    };
    listed.iter().zip(1..).map(read).collect()
}

/// A note as it is recorded.
pub fn note_json(note: &Note) -> Value {
    let row = note.class.and_then(|(class, _)| CLASSES.iter().find(|row| row.id == class));
    json!({
        "kind": note.kind.name(),
        "class": note.class.map(|(class, _)| class),
        "consequence": row.map(|row| row.consequence.name()),
        "rule": note.class.map(|(_, rule)| rule),
        "says_retry": note.says_retry,
        "facts": note.facts,
        "advice": note.advice,
        "quote": note.quote,
        "text": note.text,
    })
}

fn differences_of(step: usize, wanted: &[Value], given: &[Note]) -> Vec<String> {
    if wanted.len() != given.len() {
        let texts: Vec<&str> = given.iter().map(|note| note.text.as_str()).collect();
        return vec![format!("step {step}: {} notes expected, got {texts:#?}", wanted.len())];
    }
    let mut lines = Vec::new();
    for (wanted, note) in wanted.iter().zip(given) {
        let class = note.class.map_or("", |(class, _)| class);
        let (kind, wanted_class) = (text_of(wanted, "kind"), text_of(wanted, "class"));
        if kind != note.kind.name() || wanted_class != class {
            lines.push(format!("step {step}: {kind} {wanted_class} expected, got {}", note.text));
        }
        let missing = strings(wanted, "says").filter(|part| !note.text.contains(part));
        lines.extend(missing.map(|part| format!("step {step}: no `{part}` in {}", note.text)));
        let extra = strings(wanted, "never").filter(|part| note.text.contains(part));
        lines.extend(extra.map(|part| format!("step {step}: `{part}` in {}", note.text)));
    }
    lines
}

fn text_of<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn strings<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v str> {
    value.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// A transcript while it is read.
#[derive(Debug, Default)]
struct Reading {
    now_ms: u64,
    steps: Vec<Step>,
    /// Every message heard, for a last request.
    heard: Vec<Message>,
}

impl Reading {
    fn read_all<'v>(
        &mut self,
        steps: impl Iterator<Item = &'v Value>,
    ) -> Result<(), TranscriptError> {
        steps.zip(1..).try_for_each(|(step, number)| self.read(step, number))
    }

    fn read(&mut self, step: &Value, number: usize) -> Result<(), TranscriptError> {
        let fault = |problem: String| TranscriptError { step: number, problem };
        let later = step.get("after_seconds").and_then(Value::as_u64);
        self.now_ms += later.map_or(STEP_MS, |seconds| seconds * 1000);
        if let Some(at) = step.get("at_ms").and_then(Value::as_u64) {
            self.now_ms = at;
        }
        let kind = match text_of(step, "event") {
            "" => text_of(step, "type"),
            kind => kind,
        };
        if kind == "context" {
            let what = self.request(step).map_err(fault)?;
            self.steps.push(Step { at_ms: self.now_ms, what });
            return Ok(());
        }
        if kind.is_empty() {
            return Err(fault("has no `event`; say what happens".to_owned()));
        }
        let Some(event) = heard(kind, step, self.now_ms) else { return Ok(()) };
        match &event {
            HostEvent::AssistantEnd(answer) => self.heard.push(Message::Assistant(answer.clone())),
            HostEvent::UserEnd => self.heard.push(Message::Other),
            HostEvent::Compacted { .. } => self.heard.push(Message::Summary),
            _ => {}
        }
        let warns = flag(step, "warning");
        self.steps.push(Step { at_ms: self.now_ms, what: What::Event { event, warns } });
        Ok(())
    }

    fn request(&self, step: &Value) -> Result<What, String> {
        let Some(listed) = step.get("messages").and_then(Value::as_array) else {
            return Err("has no `messages`; list them, oldest first".to_owned());
        };
        let mut messages = Vec::new();
        let mut heard = self.heard.iter().rev();
        for message in listed.iter().rev() {
            messages.push(match message.as_str() {
                None => in_context(message, self.now_ms),
                Some("compactionSummary" | "branchSummary") => Message::Summary,
                Some(name) => match ending_of(name) {
                    None => Message::Other,
                    // A short form stands for the latest answer heard that ended so.
                    Some(ending) => heard
                        .by_ref()
                        .find(|heard| matches!(heard, Message::Assistant(a) if a.ending == ending))
                        .cloned()
                        .ok_or_else(|| format!("no answer that ended as `{name}` was heard"))?,
                },
            });
        }
        messages.reverse();
        let notes = step.get("notes").and_then(Value::as_array).cloned();
        Ok(What::Request { messages, model: model(step), notes })
    }

    fn finish(mut self, about: String) -> Result<Transcript, TranscriptError> {
        if self.steps.is_empty() {
            let problem = "holds no step; give events such as {\"event\": \"message_end\", …}";
            return Err(TranscriptError { step: 0, problem: problem.to_owned() });
        }
        if !self.steps.iter().any(|step| matches!(step.what, What::Request { .. })) {
            self.heard.push(Message::Other);
            let at_ms = self.now_ms + STEP_MS;
            let messages = std::mem::take(&mut self.heard);
            self.steps
                .push(Step { at_ms, what: What::Request { messages, model: None, notes: None } });
        }
        Ok(Transcript { about, steps: self.steps })
    }
}

/// What an advisor hears of an event of the host; `None` for one that does not matter to it.
pub(crate) fn heard(kind: &str, event: &Value, now_ms: u64) -> Option<HostEvent> {
    let will_retry = flag(event, "willRetry");
    Some(match kind {
        "message_end" | "message" => {
            let message = event.get("message").unwrap_or(event);
            if text_of(message, "role") == "assistant" {
                HostEvent::AssistantEnd(assistant(message, now_ms))
            } else {
                HostEvent::UserEnd
            }
        }
        "session_before_compact" => HostEvent::BeforeCompact { reason: reason(event), will_retry },
        "session_compact" | "compaction" => {
            HostEvent::Compacted { reason: reason(event), will_retry }
        }
        "session_compact_failed" => HostEvent::CompactFailed {
            reason: reason(event),
            aborted: flag(event, "aborted"),
            error: text_of(event, "errorMessage").to_owned(),
        },
        "compact_aborted" => HostEvent::CompactAborted,
        "agent_settled" => HostEvent::Settled { aborted: flag(event, "aborted") },
        "command_end" => HostEvent::CommandEnd {
            name: text_of(event, "name").to_owned(),
            error: text_of(event, "error").to_owned(),
        },
        "session_start" | "session_shutdown" => HostEvent::Reset,
        _ => return None,
    })
}

/// A message of a request as an advisor sees it.
pub(crate) fn in_context(message: &Value, now_ms: u64) -> Message {
    match text_of(message, "role") {
        "assistant" => Message::Assistant(assistant(message, now_ms)),
        "compactionSummary" | "branchSummary" => Message::Summary,
        _ => Message::Other,
    }
}

/// The ending in `assistant(error)`.
fn ending_of(name: &str) -> Option<Ending> {
    let inner = name.strip_prefix("assistant(")?.strip_suffix(')')?;
    Some(Ending::from_name(inner))
}

fn assistant(message: &Value, now_ms: u64) -> Assistant {
    let usage = message.get("usage");
    let count = |name: &str| usage.and_then(|usage| usage.get(name)).and_then(Value::as_u64);
    Assistant {
        ending: Ending::of_answer(text_of(message, "stopReason"), text_of(message, "errorMessage")),
        error: text_of(message, "errorMessage").to_owned(),
        status: message.get("status").and_then(Value::as_u64).and_then(|s| u16::try_from(s).ok()),
        model: model(message),
        at_ms: message.get("timestamp").and_then(Value::as_u64).unwrap_or(now_ms),
        usage: usage.map(|_| Usage {
            input: count("input").unwrap_or(0) + count("cacheRead").unwrap_or(0),
            output: count("output").unwrap_or(0),
            window: count("window").unwrap_or(0),
        }),
    }
}

/// A model, from `provider` and `model`, or from `provider/model` in one.
fn model(value: &Value) -> Option<Model> {
    let id = value.get("model")?.as_str()?;
    let provider = text_of(value, "provider");
    let (provider, id) = match id.split_once('/') {
        Some(both) if provider.is_empty() => both,
        _ => (provider, id),
    };
    Some(Model { provider: provider.to_owned(), id: id.to_owned() })
}

fn reason(step: &Value) -> CompactReason {
    match text_of(step, "reason") {
        "overflow" => CompactReason::Overflow,
        "threshold" => CompactReason::Threshold,
        _ => CompactReason::Manual,
    }
}

fn flag(step: &Value, name: &str) -> bool {
    step.get(name).and_then(Value::as_bool).unwrap_or(false)
}
