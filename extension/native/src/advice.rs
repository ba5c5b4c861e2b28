//! The advisor: what it hears of the host, and the notes and warnings it answers with.

use engine::advisor::{
    AdvisorContext, Assistant, CompactReason, Ending, HostEvent, Message, Model, Usage,
};
use napi::Result;
use napi_derive::napi;
use serde_json::{Map, Value, json};

use crate::input::{clock, flag, object, text, wrong};
use crate::session::Session;

#[napi]
impl Session {
    /// Hears an event of the host, `{"type", …}`; answers with a warning for the user, if any.
    #[napi(catch_unwind)]
    pub fn hear(&mut self, event: String, now: f64) -> Result<Option<String>> {
        let event = event_of(&object(&event)?)?;
        let warning = self.advisor.on(&event, clock(now));
        Ok(warning.filter(|_| self.settings.advisor).map(|warning| warning.text))
    }

    /// The notes for the request whose messages are listed, as a JSON list of texts.
    ///
    /// A message is an assistant's as `{"stopReason", "errorMessage", …}`, `"summary"`, or anything
    /// else.
    #[napi(catch_unwind)]
    pub fn advise(&mut self, messages: String, now: f64) -> Result<Option<String>> {
        let messages: Vec<Value> =
            serde_json::from_str(&messages).map_err(|error| wrong(&error.to_string()))?;
        let messages: Vec<Message> = messages.iter().map(message_of).collect();
        let model = Model { provider: self.provider.clone(), id: self.model.clone() };
        let model = Some(model).filter(|model| !model.id.is_empty());
        let context = AdvisorContext { now_ms: clock(now), model };
        let notes = self.advisor.notes(&messages, &context);
        if notes.is_empty() || !self.settings.advisor {
            return Ok(None);
        }
        for (class, _) in notes.iter().filter_map(|note| note.class) {
            let record = self.recorder.advice(class, self.facts(&self.model, clock(now)));
            self.keep(&record.to_line());
        }
        let texts: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
        Ok(Some(json!(texts).to_string()))
    }
}

fn event_of(given: &Map<String, Value>) -> Result<HostEvent> {
    let owned = |name: &str| text(given, name).unwrap_or_default().to_owned();
    let will_retry = flag(given, "willRetry");
    let aborted = flag(given, "aborted");
    Ok(match text(given, "type").unwrap_or_default() {
        "user_end" => HostEvent::UserEnd,
        "assistant_end" => HostEvent::AssistantEnd(assistant(given)),
        "session_before_compact" => {
            HostEvent::BeforeCompact { reason: reason_of(given), will_retry }
        }
        "compact_aborted" => HostEvent::CompactAborted,
        "session_compact" => HostEvent::Compacted { reason: reason_of(given), will_retry },
        "session_compact_failed" => {
            let error = owned("errorMessage");
            HostEvent::CompactFailed { reason: reason_of(given), aborted, error }
        }
        "agent_settled" => HostEvent::Settled { aborted },
        "command_end" => HostEvent::CommandEnd { name: owned("name"), error: owned("error") },
        "reset" => HostEvent::Reset,
        other => return Err(wrong(&format!("`{other}` is no event of the advisor"))),
    })
}

fn reason_of(given: &Map<String, Value>) -> CompactReason {
    match text(given, "reason").unwrap_or_default() {
        "manual" => CompactReason::Manual,
        "overflow" => CompactReason::Overflow,
        _ => CompactReason::Threshold,
    }
}

fn message_of(given: &Value) -> Message {
    match given {
        Value::Object(given) => Message::Assistant(assistant(given)),
        Value::String(kind) if kind == "summary" => Message::Summary,
        _ => Message::Other,
    }
}

fn assistant(given: &Map<String, Value>) -> Assistant {
    let number = |object: &Map<String, Value>, name: &str| {
        object.get(name).and_then(Value::as_f64).map(clock).unwrap_or_default()
    };
    let model = text(given, "model").map(|id| Model {
        provider: text(given, "provider").unwrap_or_default().to_owned(),
        id: id.to_owned(),
    });
    let usage = given.get("usage").and_then(Value::as_object).map(|usage| Usage {
        input: number(usage, "input").saturating_add(number(usage, "cacheRead")),
        output: number(usage, "output"),
        window: number(usage, "window"),
    });
    let error = text(given, "errorMessage").unwrap_or_default();
    Assistant {
        ending: Ending::of_answer(text(given, "stopReason").unwrap_or_default(), error),
        error: error.to_owned(),
        status: given.get("status").and_then(Value::as_u64).and_then(|it| u16::try_from(it).ok()),
        model,
        at_ms: number(given, "timestamp"),
        usage,
    }
}
