//! Running a case: what the advisor answers to every step, and what else promises may ask.

use std::cell::{Cell, OnceCell};
use std::hint::black_box;

use engine::advisor::tables::AdvisorTables;
use engine::advisor::{Advisor, AdvisorContext, Note, Warning, quotable};

use super::case::Case;
use super::model::{Foreseen, foresee};
use super::mutants::Plant;
use crate::area::{Sample as _, Seen, Stage};
use crate::transcript::What;

thread_local! {
    /// Bytes that were quoted by this thread; the one step whose work can be watched from outside.
    static QUOTED: Cell<u64> = const { Cell::new(0) };
}

/// Quotes as the engine does, and counts what it was given.
pub fn counted(text: &str, chars_max: usize) -> String {
    QUOTED.set(QUOTED.get() + text.len() as u64);
    quotable(text, chars_max)
}

/// Bytes that were quoted since the last advisor was made.
pub fn quoted() -> u64 {
    QUOTED.get()
}

/// Makes advisors, sound or with a planted bug.
#[derive(Clone, Debug)]
pub struct Workshop {
    tables: AdvisorTables,
}

impl Workshop {
    /// A workshop for the engine as it is, or with a planted bug.
    pub fn new(plant: Option<Plant>) -> Self {
        let mut tables = AdvisorTables { quote: counted, ..AdvisorTables::default() };
        if let Some(plant) = plant {
            plant(&mut tables);
        }
        Self { tables }
    }
}

/// What the advisor answered to one step.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Answer {
    /// A warning to the user.
    pub warning: Option<Warning>,
    /// The notes; only ever given to requests.
    pub notes: Vec<Note>,
    /// Bytes of foreign text that were quoted.
    pub quoted: u64,
}

/// A case with the advisor's answers.
#[derive(Debug)]
pub struct Run<'a> {
    /// The case.
    pub case: &'a Case,
    /// The answer to every step.
    pub answers: Vec<Answer>,
    tables: &'a AdvisorTables,
    foreseen: OnceCell<Vec<Foreseen>>,
}

impl<'a> Run<'a> {
    /// Asks the engine.
    pub fn new(workshop: &'a Workshop, case: &'a Case) -> Self {
        let answers = answers(&workshop.tables, case, Asking::Once);
        Self { case, answers, tables: &workshop.tables, foreseen: OnceCell::new() }
    }

    /// The tables of the engine under test.
    pub fn tables(&self) -> &AdvisorTables {
        self.tables
    }

    /// What must come of every step, by the harness's own model.
    pub fn foreseen(&self) -> &[Foreseen] {
        self.foreseen.get_or_init(|| foresee(self.case))
    }

    /// The answers of another advisor to the same steps.
    pub fn again(&self, asking: Asking) -> Vec<Answer> {
        answers(self.tables, self.case, asking)
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
        lines.push(("foreseen", format!("{:?}", self.foreseen())));
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

fn answers(tables: &AdvisorTables, case: &Case, asking: Asking) -> Vec<Answer> {
    QUOTED.set(0);
    let mut advisor = Advisor::with_tables(tables.clone());
    let last = case.steps.len().saturating_sub(1);
    let ask = |(at, step): (usize, &crate::transcript::Step)| {
        let before = QUOTED.get();
        let mut answer = Answer::default();
        match &step.what {
            What::Event { event, .. } => answer.warning = advisor.on(event, step.at_ms),
            What::Request { messages, model, .. } => {
                let context = AdvisorContext { now_ms: step.at_ms, model: model.clone() };
                if asking == Asking::Twice {
                    advisor.notes(messages, &context);
                }
                if asking != Asking::Last || at == last {
                    answer.notes = advisor.notes(messages, &context);
                }
            }
        }
        answer.quoted = QUOTED.get() - before;
        answer
    };
    case.steps.iter().enumerate().map(ask).collect()
}
