//! Follows a session and answers with notes: what failed, why, and what the model should know.

mod notes;
#[cfg(test)]
mod tests;

use super::event::{Assistant, CompactReason, Ending, HostEvent};
use super::frame::plain_name;
use super::note::Warning;
use super::tables::AdvisorTables;

/// Command failures kept for the next request; older ones are dropped.
const COMMANDS_MAX: usize = 8;

/// A reducer over a session's events; see [`Advisor::on`] and [`Advisor::notes`].
///
/// # Examples
///
/// ```
/// use engine::advisor::{Advisor, AdvisorContext, Assistant, Ending, HostEvent, Message};
///
/// let mut advisor = Advisor::new();
/// let error = "529 overloaded_error: Overloaded".to_owned();
/// let failed = Assistant { ending: Ending::Error, error, ..Assistant::default() };
/// advisor.on(&HostEvent::AssistantEnd(failed.clone()), 1_000);
/// let messages = [Message::Other, Message::Assistant(failed), Message::Other];
/// let notes = advisor.notes(&messages, &AdvisorContext { now_ms: 2_000, model: None });
/// assert_eq!(notes.len(), 1);
/// assert!(notes[0].text.contains("retry the same approach"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Advisor {
    tables: AdvisorTables,
    last: Last,
    /// Failed answers since the user's last message, or since the last compaction.
    attempts: u32,
    /// A compaction for an overflow has begun, and nothing more was heard of it.
    begun: bool,
    /// A failed compaction of the last answer was reported.
    failure_told: bool,
    compaction: Option<Compaction>,
    commands: Vec<CommandFailure>,
    /// The last failed answer, whatever came after it.
    failed: Option<Assistant>,
    /// The failure that the last abort silenced, for good; it may still stand in the context.
    silenced: Option<Assistant>,
}

/// The last answer, as far as it explains what follows.
#[derive(Clone, Debug, Default)]
enum Last {
    /// Nothing was heard yet.
    #[default]
    Unknown,
    /// Nothing that a note should speak of.
    Quiet,
    Failed(Box<Failure>),
}

#[derive(Clone, Debug)]
struct Failure {
    message: Assistant,
    attempts: u32,
    /// A compaction was begun for it, or it was told that there was none.
    compacted: bool,
    settled: bool,
}

/// The end of a compaction that the model has not been told of.
#[derive(Clone, Debug)]
struct Compaction {
    failure: Option<Failure>,
    ended: Ended,
    at_ms: u64,
}

#[derive(Clone, Debug)]
enum Ended {
    Done,
    Failed { said: String },
}

#[derive(Clone, Debug)]
struct CommandFailure {
    name: String,
    error: String,
    at_ms: u64,
}

impl Advisor {
    /// An advisor that has heard nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// An advisor that runs on other tables.
    #[doc(hidden)]
    pub fn with_tables(tables: AdvisorTables) -> Self {
        Self { tables, ..Self::default() }
    }

    /// Hears an event at `now_ms`, and answers with a warning for the user where a compaction failed.
    pub fn on(&mut self, event: &HostEvent, now_ms: u64) -> Option<Warning> {
        match event {
            HostEvent::UserEnd => self.attempts = 0,
            HostEvent::AssistantEnd(message) => self.hear_answer(message),
            HostEvent::BeforeCompact { reason, .. } => self.begin_compaction(*reason),
            HostEvent::CompactAborted => self.silence(),
            HostEvent::Compacted { reason, will_retry } => {
                self.end_compaction(*reason, *will_retry, now_ms);
            }
            HostEvent::CompactFailed { reason, aborted, error } => {
                return self.fail_compaction(*reason, *aborted, error, now_ms);
            }
            HostEvent::Settled { aborted } => return self.settle(*aborted, now_ms),
            HostEvent::CommandEnd { name, error } => self.hear_command(name, error, now_ms),
            HostEvent::Reset => *self = Self::with_tables(std::mem::take(&mut self.tables)),
        }
        None
    }

    fn hear_answer(&mut self, message: &Assistant) {
        (self.compaction, self.begun, self.failure_told) = (None, false, false);
        if message.ending == Ending::Error {
            self.attempts = self.attempts.saturating_add(1);
            self.silenced.take_if(|silenced| silenced == message);
            self.failed = Some(message.clone());
        } else {
            self.attempts = 0;
        }
        if message.ending == Ending::Aborted {
            self.silence();
        }
        let failed = message.ending == Ending::Error || (self.tables.is_full)(message);
        self.last = Last::Quiet;
        if failed {
            self.last = Last::Failed(Box::new(Failure {
                message: message.clone(),
                attempts: self.attempts,
                compacted: false,
                settled: false,
            }));
        }
    }

    fn is_about_overflow(&self, reason: CompactReason) -> bool {
        reason == CompactReason::Overflow || !self.tables.only_overflow
    }

    fn begin_compaction(&mut self, reason: CompactReason) {
        self.begun = self.is_about_overflow(reason);
        if let Last::Failed(failure) = &mut self.last {
            failure.compacted |= self.begun;
        }
    }

    fn end_compaction(&mut self, reason: CompactReason, will_retry: bool, now_ms: u64) {
        let failure = match std::mem::replace(&mut self.last, Last::Quiet) {
            Last::Failed(failure) => Some(Some(*failure)),
            Last::Unknown if will_retry => Some(None),
            Last::Unknown | Last::Quiet => None,
        };
        (self.begun, self.attempts) = (false, 0);
        let about = self.is_about_overflow(reason);
        self.compaction = failure.filter(|_| about).map(|failure| Compaction {
            failure,
            ended: Ended::Done,
            at_ms: now_ms,
        });
    }

    fn fail_compaction(
        &mut self,
        reason: CompactReason,
        aborted: bool,
        error: &str,
        now_ms: u64,
    ) -> Option<Warning> {
        if !self.is_about_overflow(reason) {
            return None;
        }
        if aborted && self.tables.abort_silences {
            self.silence();
            return None;
        }
        self.begun = false;
        if self.failure_told && self.tables.failure_once {
            return None;
        }
        let failure = match &mut self.last {
            Last::Quiet => return None,
            Last::Unknown => None,
            Last::Failed(failure) => {
                failure.compacted = true;
                Some((**failure).clone())
            }
        };
        self.failure_told = true;
        let said = (self.tables.quote)(error, self.tables.quote_chars_max);
        let mut text = "The context overflowed and compacting it failed.".to_owned();
        if !said.is_empty() {
            text.push_str(" The host says: ");
            text.push_str(&said);
        }
        text.push_str(" Try /compact, or a model with a larger context.");
        let ended = Ended::Failed { said };
        self.compaction = Some(Compaction { failure, ended, at_ms: now_ms });
        Some(Warning { text })
    }

    /// Whatever was about to be told is no longer worth it: the user stopped it.
    fn silence(&mut self) {
        if !self.tables.abort_silences {
            return;
        }
        self.last = Last::Quiet;
        self.silenced.clone_from(&self.failed);
        (self.compaction, self.begun, self.attempts) = (None, false, 0);
    }

    fn settle(&mut self, aborted: bool, now_ms: u64) -> Option<Warning> {
        if aborted {
            self.silence();
            return None;
        }
        // Hosts before 0.84.3 do not say that a compaction failed; it is all that can have happened.
        let warning = self
            .begun
            .then(|| self.fail_compaction(CompactReason::Overflow, false, "", now_ms))
            .flatten();
        if let Last::Failed(failure) = &mut self.last {
            failure.settled = true;
        }
        warning
    }

    fn hear_command(&mut self, name: &str, error: &str, at_ms: u64) {
        if error.is_empty() {
            return;
        }
        if self.commands.len() >= COMMANDS_MAX {
            self.commands.remove(0);
        }
        let error = (self.tables.quote)(error, self.tables.quote_chars_max);
        self.commands.push(CommandFailure { name: plain_name(name), error, at_ms });
    }
}
