//! Whether two traces tell the same, apart from wordings that only one of them can know.

use std::fmt;

use corpus::{Event, Trace};
use serde_json::Value;

use super::js;

/// The first place where two traces part.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The part of the trace.
    pub part: &'static str,
    /// Its place in that part.
    pub at: usize,
    /// What the first trace says there.
    pub one: String,
    /// What the second says.
    pub other: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, at, one, other } = self;
        write!(f, "{part} {at}:\n  {one}\n  {other}")
    }
}

/// The first difference, if there is one.
///
/// Left out are the words of a validator and of a JSON reader; what they said it about is compared.
pub fn compare(one: &Trace, other: &Trace) -> Option<Difference> {
    let events = |trace: &Trace| trace.events.iter().map(told).collect::<Vec<_>>();
    let values = |items: &[Value]| items.iter().map(|it| masked(it).to_string()).collect();
    let errors = |trace: &Trace| {
        trace.errors.iter().map(|it| format!("{}: {}", it.on, it.message)).collect::<Vec<_>>()
    };
    let failures = |trace: &Trace| {
        trace.failures.iter().map(|it| format!("{}: {}", it.action, it.message)).collect::<Vec<_>>()
    };
    let answers = |trace: &Trace| {
        trace
            .answers
            .iter()
            .map(|it| format!("{} -> {}", it.of, masked(&it.is)))
            .collect::<Vec<_>>()
    };
    let transcript = |trace: &Trace| -> Vec<String> { values(&trace.transcript) };
    part("event", &events(one), &events(other))
        .or_else(|| part("message", &transcript(one), &transcript(other)))
        .or_else(|| part("entry", &one.entries, &other.entries))
        .or_else(|| part("error", &errors(one), &errors(other)))
        .or_else(|| part("failure", &failures(one), &failures(other)))
        .or_else(|| part("answer", &answers(one), &answers(other)))
}

fn part(part: &'static str, one: &[String], other: &[String]) -> Option<Difference> {
    let at = one.iter().zip(other).position(|(one, other)| one != other);
    let at = at.or_else(|| (one.len() != other.len()).then(|| one.len().min(other.len())))?;
    let say = |lines: &[String]| lines.get(at).cloned().unwrap_or("(nothing)".to_owned());
    Some(Difference { part, at, one: say(one), other: say(other) })
}

fn told(event: &Event) -> String {
    let saw = event.saw.as_ref().map(masked).map_or(String::new(), |saw| format!(" {saw}"));
    event.label() + &saw
}

/// The value with sorted keys, numbers as JavaScript writes them, and foreign words masked.
pub fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::from(without_words(text)),
        Value::Number(number) => number.as_f64().map_or(value.clone(), js::double),
        Value::Array(items) => items.iter().map(masked).collect(),
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> =
                map.iter().map(|(key, item)| (key.clone(), masked(item))).collect();
            pairs.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(pairs.into_iter().collect())
        }
        other => other.clone(),
    }
}

const RECEIVED: &str = "Received arguments:\n";

/// A text without the words of a validator or a JSON reader.
pub fn without_words(text: &str) -> String {
    let Some((before, received)) = text.split_once(RECEIVED) else {
        return match text.split_once("\n  - ") {
            Some((before, _)) if before.starts_with("Validation failed") => before.to_owned(),
            _ => text.to_owned(),
        };
    };
    let head = before.split(": ").next().unwrap_or_default();
    let head = if before.starts_with("Invalid arguments for tool") { head } else { "" };
    let head = if before.starts_with("Validation failed") {
        before.split('\n').next().unwrap_or_default()
    } else {
        head
    };
    format!("{head} … {received}")
}
