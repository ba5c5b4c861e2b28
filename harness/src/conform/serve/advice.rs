//! Errors of providers: what one text means, and which warnings and notes a session of steps gets.

use engine::advisor::{AdvisorContext, Assistant, Ending, ErrorFacts, Message, Model};
use serde_json::{Value, json};

use super::{Refused, Server, bad, lacks, text};
use crate::advice::subject::{Answer, Subject as _};
use crate::transcript::{self, Step};

/// Answers about `steps`, or about one `text`.
pub(super) fn advise(server: &Server, question: &Value) -> Result<Value, Refused> {
    match question.get("steps") {
        Some(steps) => session(server, steps),
        None => alone(server, question),
    }
}

fn session(server: &Server, steps: &Value) -> Result<Value, Refused> {
    let steps = steps.as_array().ok_or_else(|| bad("`steps` must be a list"))?;
    let steps = transcript::steps(steps).map_err(|error| bad(&error.to_string()))?;
    let known: Vec<&Step> = steps.iter().flatten().collect();
    let mut answers = server.advisor.hear(&known).into_iter();
    // A step that an advisor does not hear gets an entry, too.
    let entries = steps.iter().map(|step| {
        let answer = step.as_ref().and_then(|_| answers.next()).unwrap_or_default();
        entry(&answer)
    });
    Ok(json!({"steps": entries.collect::<Vec<_>>()}))
}

fn entry(answer: &Answer) -> Value {
    json!({
        "warning": answer.warning.as_ref().map(|warning| &warning.text),
        "notes": answer.notes.iter().map(transcript::note_json).collect::<Vec<_>>(),
    })
}

fn alone(server: &Server, question: &Value) -> Result<Value, Refused> {
    let error = text(question, "text").ok_or_else(|| lacks("text"))?;
    let status = question.get("status").and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    let provider = text(question, "provider");
    let found = server.advisor.sense(error, &ErrorFacts { status, provider, now_ms: None });
    let model = provider.map(|name| Model { provider: name.to_owned(), id: String::new() });
    let failed = Assistant {
        ending: Ending::Error,
        error: error.to_owned(),
        status,
        model,
        ..Assistant::default()
    };
    let messages = [Message::Assistant(failed), Message::Other];
    let note = server.advisor.advisor().notes(&messages, &AdvisorContext::default()).pop();
    Ok(json!({
        "class": found.class,
        "consequence": found.consequence.name(),
        "rule": found.rule,
        "status": found.status,
        "note": note.map(|note| note.text),
    }))
}
