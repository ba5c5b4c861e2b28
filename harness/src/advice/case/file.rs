//! Cases as regression files, and back: the steps in the form of a transcript, one JSON object a line.

use engine::advisor::{Assistant, CompactReason, HostEvent, Message, Model};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Case, Meaning, Said, brief};
use crate::area::Sample;
use crate::transcript::{Step, Transcript, What};

/// A regression file of this area.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    why: String,
    found: String,
    #[serde(default)]
    salt: u32,
    /// JSON text, one for each step.
    steps: Vec<String>,
    /// The foreign texts, where more is known of them than that they are there.
    #[serde(default)]
    said: Vec<SaidRow>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SaidRow {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Whether it must be this very class.
    #[serde(default)]
    exact: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    twin: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    secrets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

impl Sample for Case {
    fn input(&self) -> String {
        let steps = self.steps.iter().map(|step| step_json(step).to_string());
        if self.steps.is_empty() {
            let texts: Vec<&str> = self.said.iter().map(|said| said.text.as_str()).collect();
            return texts.join("\n");
        }
        steps.collect::<Vec<_>>().join("\n")
    }

    fn brief(&self) -> String {
        if self.steps.is_empty() { brief::ends(&self.input()) } else { brief::steps(&self.steps) }
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        let row = |said: &Said| SaidRow {
            text: said.text.clone(),
            class: said.meaning.as_ref().map(|meaning| meaning.class.clone()),
            exact: said.meaning.as_ref().is_some_and(|meaning| meaning.exact),
            twin: Some(said.twin.clone()).filter(|twin| *twin != said.text),
            secrets: said.secrets.clone(),
            provider: said.provider.clone(),
        };
        let file = CaseFile {
            why: why.to_owned(),
            found: found.to_owned(),
            salt: self.salt,
            steps: self.steps.iter().map(|step| step_json(step).to_string()).collect(),
            said: self.said.iter().map(row).collect(),
        };
        toml::to_string(&file).unwrap_or_else(|error| format!("# {error}\n"))
    }
}

impl Case {
    /// Reads a regression file.
    ///
    /// # Errors
    ///
    /// A text that is no such file, or whose steps are no transcript.
    pub fn from_toml(slug: &str, text: &str) -> Result<Self, String> {
        let file: CaseFile = toml::from_str(text).map_err(|error| format!("{slug}: {error}"))?;
        let transcript = Transcript::parse(&file.steps.join("\n"))
            .map_err(|error| format!("{slug}: {error}"))?;
        let said = file.said.into_iter().map(|row| Said {
            meaning: row.class.map(|class| Meaning { class, exact: row.exact }),
            twin: row.twin.unwrap_or_else(|| row.text.clone()),
            text: row.text,
            secrets: row.secrets,
            provider: row.provider,
        });
        Ok(Self { steps: transcript.steps, said: said.collect(), salt: file.salt })
    }
}

/// A step as a line of a transcript.
pub(in crate::advice) fn step_json(step: &Step) -> Value {
    let mut line = match &step.what {
        What::Event { event, .. } => event_json(event),
        What::Request { messages, model, .. } => {
            let messages: Vec<Value> = messages.iter().map(message_json).collect();
            let mut line = json!({"event": "context", "messages": messages});
            put_model(&mut line, model.as_ref());
            line
        }
    };
    line["at_ms"] = step.at_ms.into();
    line
}

fn event_json(event: &HostEvent) -> Value {
    match event {
        HostEvent::UserEnd => json!({"event": "message_end", "role": "user"}),
        HostEvent::AssistantEnd(answer) => {
            let mut line = answer_json(answer);
            line["event"] = "message_end".into();
            line
        }
        HostEvent::BeforeCompact { reason, will_retry } => {
            json!({"event": "session_before_compact", "reason": reason_name(*reason), "willRetry": will_retry})
        }
        HostEvent::CompactAborted => json!({"event": "compact_aborted"}),
        HostEvent::Compacted { reason, will_retry } => {
            json!({"event": "session_compact", "reason": reason_name(*reason), "willRetry": will_retry})
        }
        HostEvent::CompactFailed { reason, aborted, error } => json!({
            "event": "session_compact_failed",
            "reason": reason_name(*reason),
            "aborted": aborted,
            "errorMessage": error,
        }),
        HostEvent::Settled { aborted } => json!({"event": "agent_settled", "aborted": aborted}),
        HostEvent::CommandEnd { name, error } => {
            json!({"event": "command_end", "name": name, "error": error})
        }
        HostEvent::Reset => json!({"event": "session_start"}),
    }
}

fn reason_name(reason: CompactReason) -> &'static str {
    match reason {
        CompactReason::Manual => "manual",
        CompactReason::Threshold => "threshold",
        CompactReason::Overflow => "overflow",
    }
}

fn message_json(message: &Message) -> Value {
    match message {
        Message::Assistant(answer) => answer_json(answer),
        Message::Summary => "compactionSummary".into(),
        Message::Other => "user".into(),
    }
}

fn answer_json(answer: &Assistant) -> Value {
    let mut line = json!({
        "role": "assistant",
        "stopReason": answer.ending.name(),
        "errorMessage": answer.error,
        "timestamp": answer.at_ms,
    });
    if let Some(status) = answer.status {
        line["status"] = status.into();
    }
    if let Some(usage) = answer.usage {
        let counts = [("input", usage.input), ("output", usage.output), ("window", usage.window)];
        let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count.into()));
        line["usage"] = Value::Object(counts.collect::<Map<_, _>>());
    }
    put_model(&mut line, answer.model.as_ref());
    line
}

fn put_model(line: &mut Value, model: Option<&Model>) {
    if let Some(model) = model {
        line["provider"] = model.provider.as_str().into();
        line["model"] = model.id.as_str().into();
    }
}
