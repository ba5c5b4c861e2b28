//! Running a case: what the advisor answers to every step, and what else promises may ask.

use std::cell::OnceCell;
use std::hint::black_box;
use std::sync::Arc;

use engine::advisor::{ErrorFacts, Note, NoteKind, quotable};

use super::case::{Case, Said};
use super::elsewhere::Elsewhere;
use super::fit::fit;
use super::model::{Foreseen, foresee};
use super::mutants::Plant;
pub use super::subject::Answer;
use super::subject::{Own, Sense, Subject};
use crate::area::{Ended, Sample as _, Seen, Stage};
use crate::conform::{Hello, Operation, Remote};
use crate::transcript::{Step, What};

/// Whoever is asked, sound, with a planted bug, or elsewhere.
#[derive(Debug)]
pub struct Workshop {
    subject: Box<dyn Subject>,
    /// What an engine elsewhere says of itself.
    hello: Option<Hello>,
}

impl Workshop {
    /// A workshop for the engine as it is, or with a planted bug.
    pub fn new(plant: Option<Plant>) -> Self {
        Self { subject: Box::new(Own::new(plant)), hello: None }
    }

    /// A workshop for an engine elsewhere; `None` if it does not advise.
    pub fn elsewhere(remote: &Arc<Remote>) -> Option<Self> {
        let hello = remote.hello();
        let subject = Box::new(Elsewhere::new(remote));
        hello.can(Operation::Advise).then(|| Self { subject, hello: Some(hello.clone()) })
    }

    /// A case as the engine can be asked it.
    pub fn fit(&self, case: Case) -> Case {
        match &self.hello {
            None => case,
            Some(hello) => fit(hello, case),
        }
    }
}

/// A case with the advisor's answers.
#[derive(Debug)]
pub struct Run<'a> {
    /// The case.
    pub case: &'a Case,
    /// The answer to every step; from an engine that hears no sessions, to every text.
    pub answers: Vec<Answer>,
    subject: &'a dyn Subject,
    foreseen: OnceCell<Vec<Foreseen>>,
}

impl<'a> Run<'a> {
    /// Asks the engine. A case without a text says nothing about one that hears no sessions.
    pub fn new(workshop: &'a Workshop, case: &'a Case) -> Self {
        let subject = &*workshop.subject;
        if !subject.hears_sessions() && case.said.is_empty() {
            Ended::Skipped.throw();
        }
        let answers = if subject.hears_sessions() {
            hear(subject, &case.steps, Asking::Once)
        } else {
            case.said.iter().map(|said| alone(subject, said)).collect()
        };
        Self { case, answers, subject, foreseen: OnceCell::new() }
    }

    /// What the engine under test makes of an error text.
    pub fn sense(&self, text: &str, facts: &ErrorFacts<'_>) -> Sense {
        self.subject.sense(text, facts)
    }

    /// What must come of every step, by the harness's own model.
    pub fn foreseen(&self) -> &[Foreseen] {
        self.foreseen.get_or_init(|| foresee(self.case, self.subject))
    }

    /// The answers of another advisor to the same steps.
    pub fn again(&self, asking: Asking) -> Vec<Answer> {
        hear(self.subject, &self.case.steps, asking)
    }

    /// The engine's stages on this session, each to be asked again alone.
    pub fn stages(&self) -> Vec<(&'static str, Stage<'_>)> {
        let quote = || {
            for said in &self.case.said {
                drop(black_box(quotable(&said.text, 400)));
            }
        };
        let whole = || drop(black_box(self.again(Asking::Once)));
        vec![("quote every text", Box::new(quote)), ("the whole session", Box::new(whole))]
    }

    /// Every note with the number of its step.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &Note)> {
        let numbered = self.answers.iter().enumerate();
        numbered.flat_map(|(at, answer)| answer.notes.iter().map(move |note| (at, note)))
    }

    /// Every text that leaves the advisor.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().flat_map(|answer| {
            let notes = answer.notes.iter().map(|note| note.text.as_str());
            notes.chain(answer.warning.as_ref().map(|warning| warning.text.as_str()))
        })
    }

    /// Each note with what the model foresaw for it, where both agree on how many there are.
    pub fn pairs(&self) -> impl Iterator<Item = (&Note, &super::model::Due)> {
        let steps = self.answers.iter().zip(self.foreseen());
        let agreed = steps.filter(|(answer, due)| answer.notes.len() == due.notes.len());
        agreed.flat_map(|(answer, due)| answer.notes.iter().zip(&due.notes))
    }

    /// What a campaign counts.
    pub fn seen(&self) -> Seen {
        let count = self.notes().count();
        let mut seen = Seen::new(match count {
            _ if !self.subject.hears_sessions() => "no session",
            0 => "silent",
            1 => "one note",
            _ => "several notes",
        });
        for (_, note) in self.notes() {
            seen.reach(note.kind.name());
            if let Some((class, rule)) = note.class {
                seen.reach(class);
                seen.reach(rule);
            }
            seen.fold(note.text.as_bytes());
        }
        for answer in &self.answers {
            seen.fold(answer.warning.as_ref().map_or("", |warning| &warning.text).as_bytes());
        }
        seen
    }

    /// What `replay` prints.
    pub fn show(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![("steps", self.case.input())];
        for (at, answer) in self.answers.iter().enumerate() {
            let warning = answer.warning.iter().map(|warning| ("warning", &warning.text));
            let notes = answer.notes.iter().map(|note| ("note", &note.text));
            lines.extend(
                warning
                    .chain(notes)
                    .map(|(label, text)| (label, format!("step {}: {text}", at + 1))),
            );
        }
        if self.subject.hears_sessions() {
            lines.push(("foreseen", format!("{:?}", self.foreseen())));
        }
        lines
    }
}

/// How requests are put to an advisor.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Asking {
    /// As they come.
    Once,
    /// Each twice; the answer is the second one.
    Twice,
    /// Only the last one.
    Last,
}

/// The answers to every step of one session; a request that is not put is not answered.
fn hear(subject: &dyn Subject, steps: &[Step], asking: Asking) -> Vec<Answer> {
    let last = steps.len().saturating_sub(1);
    let times = |(at, step): &(usize, &Step)| match (asking, &step.what) {
        (Asking::Twice, What::Request { .. }) => 2,
        (Asking::Last, What::Request { .. }) if *at != last => 0,
        _ => 1,
    };
    let put = steps.iter().enumerate().flat_map(|row| std::iter::repeat_n(row, times(&row)));
    let (places, put): (Vec<usize>, Vec<&Step>) = put.unzip();
    let mut answers = vec![Answer::default(); steps.len()];
    for (at, answer) in places.into_iter().zip(subject.hear(&put)) {
        answers[at] = answer;
    }
    answers
}

/// What an engine that hears no sessions says of one text.
fn alone(subject: &dyn Subject, said: &Said) -> Answer {
    let facts = ErrorFacts { provider: said.provider.as_deref(), ..ErrorFacts::default() };
    let note = subject.sense(&said.text, &facts).note.map(|text| Note {
        kind: NoteKind::ProviderError,
        class: None,
        says_retry: false,
        facts: Vec::new(),
        advice: String::new(),
        quote: String::new(),
        text,
    });
    Answer { notes: note.into_iter().collect(), ..Answer::default() }
}
