//! An engine elsewhere that advises: questions as the protocol asks them, answers as ours would be.

use std::sync::Arc;

use engine::advisor::{CLASSES, Consequence, ErrorFacts, Note, NoteKind, Warning};
use serde_json::{Map, Value, json};

use super::case::{Meaning, step_json};
use super::subject::{Answer, Sense, Subject};
use super::tables;
use crate::area::Ended;
use crate::conform::{Feature, Hello, Operation, Remote};
use crate::transcript::Step;

/// An advisor behind a process.
#[derive(Debug)]
pub(super) struct Elsewhere {
    remote: Arc<Remote>,
}

impl Elsewhere {
    pub(super) fn new(remote: &Arc<Remote>) -> Self {
        Self { remote: Arc::clone(remote) }
    }

    /// Asks, and ends the run over an answer that cannot be read.
    fn ask<T>(
        &self,
        (member, sent): (&str, Value),
        more: Map<String, Value>,
        read: impl Fn(&Value) -> Result<T, String>,
    ) -> T {
        let mut question = Map::new();
        question.insert("op".into(), Operation::Advise.name().into());
        question.insert(member.into(), sent);
        question.extend(more);
        let answer = self.remote.ask(&question);
        read(&answer).unwrap_or_else(|says| {
            let shown: String = answer.to_string().chars().take(300).collect();
            Ended::Failed(format!("its answer cannot be used, {says}: {shown}")).throw()
        })
    }
}

impl Subject for Elsewhere {
    fn hear(&self, steps: &[&Step]) -> Vec<Answer> {
        let sent: Vec<Value> = steps.iter().map(|step| step_json(step)).collect();
        let read = |answer: &Value| entries(answer, steps.len(), self.remote.hello());
        self.ask(("steps", sent.into()), Map::new(), read)
    }

    fn sense(&self, text: &str, facts: &ErrorFacts<'_>) -> Sense {
        let mut more = Map::new();
        if let Some(status) = facts.status {
            more.insert("status".into(), status.into());
        }
        if let Some(provider) = facts.provider {
            more.insert("provider".into(), provider.into());
        }
        self.ask(("text", text.into()), more, |answer| sense(answer, self.remote.hello()))
    }

    /// The engine has the word itself: what it makes of the text alone must be what it makes of it in a session.
    fn word(&self, text: &str, facts: &ErrorFacts<'_>) -> Meaning {
        let sense = self.sense(text, facts);
        let class = sense.class.unwrap_or_else(|| stand_in(sense.consequence));
        Meaning { class: class.to_owned(), exact: true }
    }

    fn hears_sessions(&self) -> bool {
        self.remote.hello().has(Feature::Sessions)
    }
}

/// The class that stands for all of its consequence where an engine does not name ids of ours.
fn stand_in(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::Overflow => "overflow",
        Consequence::Transient => "server",
        Consequence::Fatal => "other",
    }
}

fn text<'v>(value: &'v Value, member: &str) -> Result<&'v str, String> {
    let found = value.get(member).and_then(Value::as_str);
    found.ok_or_else(|| format!("`{member}` must be a text"))
}

/// A member that may be null or absent.
fn given<'v>(value: &'v Value, member: &str) -> Option<&'v Value> {
    value.get(member).filter(|given| !given.is_null())
}

fn text_or_none(value: &Value, member: &str) -> Result<Option<String>, String> {
    given(value, member).map(|_| text(value, member).map(str::to_owned)).transpose()
}

fn consequence(value: &Value) -> Result<Consequence, String> {
    let all = [Consequence::Overflow, Consequence::Transient, Consequence::Fatal];
    let name = text(value, "consequence")?;
    let found = all.into_iter().find(|row| row.name() == name);
    found.ok_or_else(|| "`consequence` is none of overflow, transient, fatal".to_owned())
}

fn class(value: &Value) -> Result<&'static str, String> {
    let id = text(value, "class")?;
    let found = CLASSES.iter().find(|row| row.id == id).map(|row| row.id);
    found.ok_or_else(|| "`class` is no id of docs/catalog.md".to_owned())
}

fn sense(answer: &Value, hello: &Hello) -> Result<Sense, String> {
    let status =
        given(answer, "status").map(|status| status.as_u64().ok_or("`status` must be a number"));
    Ok(Sense {
        class: hello.has(Feature::Classes).then(|| class(answer)).transpose()?,
        consequence: consequence(answer)?,
        rule: text_or_none(answer, "rule")?.unwrap_or_default(),
        status: status.transpose()?,
        note: if hello.has(Feature::Notes) { text_or_none(answer, "note")? } else { None },
    })
}

fn entries(answer: &Value, count: usize, hello: &Hello) -> Result<Vec<Answer>, String> {
    let rows = answer.get("steps").and_then(Value::as_array).ok_or("`steps` must be a list")?;
    if rows.len() != count {
        return Err(format!("`steps` has {} entries for {count} steps", rows.len()));
    }
    rows.iter().map(|row| entry(row, hello)).collect()
}

fn entry(row: &Value, hello: &Hello) -> Result<Answer, String> {
    if !row.is_object() {
        return Err("an entry of `steps` must be an object".to_owned());
    }
    let none = json!([]);
    let notes = given(row, "notes").unwrap_or(&none).as_array().ok_or("`notes` must be a list")?;
    Ok(Answer {
        warning: text_or_none(row, "warning")?.map(|text| Warning { text }),
        notes: notes.iter().map(|row| note(row, hello)).collect::<Result<_, _>>()?,
        quoted: 0,
    })
}

fn note(row: &Value, hello: &Hello) -> Result<Note, String> {
    let kinds = [NoteKind::Compaction, NoteKind::ProviderError, NoteKind::CommandFailure];
    let name = text(row, "kind")?;
    let kind = kinds.into_iter().find(|kind| kind.name() == name);
    let kind = kind.ok_or("`kind` is none of compaction, provider-error, command-failure")?;
    let class = match kind {
        NoteKind::CommandFailure => None,
        _ if hello.has(Feature::Classes) => Some(class(row)?),
        _ => Some(stand_in(consequence(row)?)),
    };
    let said = text_or_none(row, "rule")?.unwrap_or_default();
    let rule = tables::rules().find(|rule| *rule == said).unwrap_or("other");
    let mut note = Note {
        kind,
        class: class.map(|class| (class, rule)),
        says_retry: false,
        facts: Vec::new(),
        advice: String::new(),
        quote: String::new(),
        text: String::new(),
    };
    if hello.has(Feature::Notes) {
        text(row, "text")?.clone_into(&mut note.text);
    }
    if hello.has(Feature::Wordings) {
        let retry = row.get("says_retry").and_then(Value::as_bool);
        note.says_retry = retry.ok_or("`says_retry` must be true or false")?;
        text(row, "advice")?.clone_into(&mut note.advice);
        text(row, "quote")?.clone_into(&mut note.quote);
        let facts = row.get("facts").and_then(Value::as_array);
        let facts = facts.and_then(|facts| {
            facts.iter().map(|fact| fact.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        });
        note.facts = facts.ok_or("`facts` must be a list of texts")?;
    }
    Ok(note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conform::serve::greeting;

    fn hello(features: &[Feature]) -> Hello {
        Hello { features: features.to_vec(), ..greeting() }
    }

    #[test]
    fn a_consequence_is_enough() {
        let hello = hello(&[]);
        let read = sense(&json!({"consequence": "fatal", "class": "no such"}), &hello);
        assert_eq!(
            read.map(|sense| (sense.class, sense.consequence)),
            Ok((None, Consequence::Fatal))
        );
        let bare =
            json!({"steps": [{}, {"notes": [{"kind": "compaction", "consequence": "overflow"}]}]});
        let read = entries(&bare, 2, &hello).expect("can be read");
        assert_eq!(read[0], Answer::default());
        assert_eq!(read[1].notes[0].class.map(|class| class.0), Some("overflow"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let all = greeting();
        let wrong = |answer: Value, says: &str| {
            let read = entries(&json!({"steps": [answer]}), 1, &all).expect_err("cannot be read");
            assert!(read.contains(says), "{read}");
        };
        wrong(json!(1), "object");
        wrong(json!({"warning": true}), "warning");
        wrong(json!({"notes": {}}), "notes");
        wrong(json!({"notes": [{"kind": "song"}]}), "kind");
        wrong(json!({"notes": [{"kind": "provider-error", "class": "song"}]}), "class");
        wrong(json!({"notes": [{"kind": "provider-error", "class": "other"}]}), "text");
        assert!(
            entries(&json!({"steps": []}), 1, &all).is_err_and(|says| says.contains("0 entries"))
        );
        assert!(sense(&json!({"consequence": "maybe"}), &hello(&[])).is_err());
        assert!(sense(&json!({"consequence": "fatal"}), &all).is_err());
    }
}
