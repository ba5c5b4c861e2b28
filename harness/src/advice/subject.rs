//! Whoever answers: our own advisor, sound or with a planted bug, or an engine elsewhere.

use std::cell::Cell;
use std::fmt::Debug;

use engine::advisor::tables::AdvisorTables;
use engine::advisor::{
    Advisor, AdvisorContext, Consequence, ErrorFacts, Note, Warning, classify, quotable,
};

use super::case::Meaning;
use super::mutants::Plant;
use crate::transcript::{Step, What};

thread_local! {
    /// Bytes that were quoted by this thread; the one step whose work can be watched from outside.
    static QUOTED: Cell<u64> = const { Cell::new(0) };
}

/// Quotes as the engine does, and counts what it was given.
pub fn counted(text: &str, chars_max: usize) -> String {
    QUOTED.set(QUOTED.get() + text.len() as u64);
    quotable(text, chars_max)
}

/// Bytes that were quoted since the last session began.
pub fn quoted() -> u64 {
    QUOTED.get()
}

/// What was answered to one step.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Answer {
    /// A warning to the user.
    pub warning: Option<Warning>,
    /// The notes; only ever given to requests.
    pub notes: Vec<Note>,
    /// Bytes of foreign text that were quoted; 0 where nobody can count them.
    pub quoted: u64,
}

/// What is made of one error text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sense {
    /// The id of the class, where one is named.
    pub class: Option<&'static str>,
    /// What it means for a retry.
    pub consequence: Consequence,
    /// What decided, where that is told.
    pub rule: String,
    /// The status that was read, where that is told.
    pub status: Option<u64>,
    /// What the model would read of this failure alone, where that is told.
    pub note: Option<String>,
}

/// An advisor under test.
pub trait Subject: Debug + Send + Sync {
    /// The answer to each of these steps, in one session.
    fn hear(&self, steps: &[&Step]) -> Vec<Answer>;

    /// What is made of one error text.
    fn sense(&self, text: &str, facts: &ErrorFacts<'_>) -> Sense;

    /// What a text means of which nothing is known.
    fn word(&self, text: &str, facts: &ErrorFacts<'_>) -> Meaning;

    /// Whether sessions can be asked about; else texts alone.
    fn hears_sessions(&self) -> bool {
        true
    }
}

/// Our own advisor.
#[derive(Clone, Debug)]
pub struct Own {
    tables: AdvisorTables,
}

impl Own {
    /// The advisor as it is, or with a planted bug.
    pub fn new(plant: Option<Plant>) -> Self {
        let mut tables = AdvisorTables { quote: counted, ..AdvisorTables::default() };
        if let Some(plant) = plant {
            plant(&mut tables);
        }
        Self { tables }
    }

    /// An advisor that has heard nothing.
    pub fn advisor(&self) -> Advisor {
        Advisor::with_tables(self.tables.clone())
    }
}

impl Subject for Own {
    fn hear(&self, steps: &[&Step]) -> Vec<Answer> {
        QUOTED.set(0);
        let mut advisor = self.advisor();
        let ask = |step: &&Step| {
            let before = QUOTED.get();
            let mut answer = Answer::default();
            match &step.what {
                What::Event { event, .. } => answer.warning = advisor.on(event, step.at_ms),
                What::Request { messages, model, .. } => {
                    let context = AdvisorContext { now_ms: step.at_ms, model: model.clone() };
                    answer.notes = advisor.notes(messages, &context);
                }
            }
            answer.quoted = QUOTED.get() - before;
            answer
        };
        steps.iter().map(ask).collect()
    }

    fn sense(&self, text: &str, facts: &ErrorFacts<'_>) -> Sense {
        let found = self.tables.classifier.classify(text, facts);
        Sense {
            class: Some(found.class.id),
            consequence: found.class.consequence,
            rule: found.rule.to_owned(),
            status: found.details.status.map(u64::from),
            note: None,
        }
    }

    /// The sound classifier has the word, so that an altered one is not its own judge.
    fn word(&self, text: &str, facts: &ErrorFacts<'_>) -> Meaning {
        Meaning { class: classify(text, facts).class.id.to_owned(), exact: true }
    }
}
