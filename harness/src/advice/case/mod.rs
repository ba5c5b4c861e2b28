//! A session with its error texts: what happens, what a careful reader makes of each text, and the secrets in it.

mod brief;
mod file;
mod hostile;
mod secrets;
mod session;
mod texts;

pub(super) use file::step_json;
pub use texts::{WRAPPINGS, Wrap};

use engine::advisor::{Assistant, HostEvent, Message};

use crate::source::{Choose, Source};
use crate::transcript::{Step, What};

/// How far the cases of a batch stray from the ordinary. Chances are counted in sixteenths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bias {
    /// Events that no host sends in this order.
    pub raw: u32,
    /// Aborts in the middle of things.
    pub aborts: u32,
    /// Wrappings around error texts.
    pub wraps: u32,
    /// Secrets in texts.
    pub secrets: u32,
    /// Hostile pieces in texts.
    pub hostile: u32,
}

impl Bias {
    /// Some oddities, others switched off.
    pub fn swarm(source: &mut dyn Source) -> Self {
        let mut bias = Self { raw: 4, aborts: 2, wraps: 8, secrets: 6, hostile: 4 };
        for knob in
            [&mut bias.raw, &mut bias.aborts, &mut bias.wraps, &mut bias.secrets, &mut bias.hostile]
        {
            *knob = *source.pick(&[*knob, *knob, 0, *knob * 3 / 2]);
        }
        bias
    }
}

/// What a careful reader says of an error text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Meaning {
    /// The class's id.
    pub class: String,
    /// Whether it must be this very class; else any with the same consequence for a retry.
    pub exact: bool,
}

/// A text from outside.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// What it means, if that is known; else the classifier has the word.
    pub meaning: Option<Meaning>,
    /// The same text with other digits in its payload; equal if there are none.
    pub twin: String,
    /// What must not leave the machine: every run of eight characters of each.
    pub secrets: Vec<String>,
    /// The provider that words it so, where the text alone says too little.
    pub provider: Option<String>,
}

/// A session, step by step, with every foreign text in it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The steps; the last is a request. None where a text is asked about alone.
    pub steps: Vec<Step>,
    /// Every foreign text.
    pub said: Vec<Said>,
    /// A free choice for promises that look at one of many things.
    pub salt: u32,
}

impl Case {
    /// Draws a case; the same choices give the same case.
    pub fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let mut case = session::draw(source, bias);
        case.salt = source.below(64);
        case
    }

    /// A session about a text of which nothing is known: it ends a request, a compaction, or a command.
    pub fn failing(source: &mut dyn Source, text: String) -> Self {
        let said = Said { twin: text.clone(), text, ..Said::default() };
        let mut case = session::failing(source, said);
        case.salt = source.below(64);
        case
    }

    /// What is known of a text of this case.
    pub fn about(&self, text: &str) -> Option<&Said> {
        self.said.iter().find(|said| said.text == text)
    }

    /// The texts of failed requests, each with its provider; of a case without steps, its texts.
    pub fn told(&self) -> Vec<(&str, Option<&str>)> {
        if self.steps.is_empty() {
            return self
                .said
                .iter()
                .map(|row| (row.text.as_str(), row.provider.as_deref()))
                .collect();
        }
        let mut told = Vec::new();
        for failed in self.failures() {
            let provider = failed.model.as_ref().map(|model| model.provider.as_str());
            told.push((failed.error.as_str(), provider));
        }
        told
    }

    /// The failed answers heard.
    pub fn failures(&self) -> impl Iterator<Item = &Assistant> {
        self.steps.iter().filter_map(|step| match &step.what {
            What::Event { event: HostEvent::AssistantEnd(answer), .. }
                if !answer.error.is_empty() =>
            {
                Some(answer)
            }
            _ => None,
        })
    }
}

/// Everything that goes into a session, by name: what happens, what is said, how it is wrapped.
pub fn features() -> Vec<&'static str> {
    session::scenarios().chain(texts::kinds()).collect()
}

/// The last message that says how things stand: an answer or a summary.
pub fn standing(messages: &[Message]) -> Option<&Message> {
    messages.iter().rfind(|message| !matches!(message, Message::Other))
}
