//! The notes to one request: which of them are due, and what they say.

use super::super::classes::OVERFLOW;
use super::super::classify::Classified;
use super::super::event::{AdvisorContext, Assistant, CompactReason, Ending, Message};
use super::super::evidence::ErrorFacts;
use super::super::note::{Note, NoteKind, detail_facts, full_name, model_name};
use super::{Advisor, Compaction, Ended, Last};

impl Advisor {
    /// The notes to put behind `messages`, the most important first; two at most.
    ///
    /// A note on a failure that stands at the end of the context comes with every request that has
    /// it; notes on compactions and commands come once. Costs time linear in the messages behind
    /// the last answer, and in the text of one failure.
    pub fn notes(&mut self, messages: &[Message], context: &AdvisorContext) -> Vec<Note> {
        let now_ms = context.now_ms;
        if self.begun {
            self.fail_compaction(CompactReason::Overflow, false, "", now_ms);
        }
        let trailing = self.trailing(messages).cloned();
        let mut notes = Vec::new();
        let compaction = self.take_compaction(now_ms);
        let told = compaction.as_ref().and_then(|ended| ended.failure.as_ref());
        let same = told.is_some_and(|told| trailing.as_ref() == Some(&told.message));
        if let Some(ended) = &compaction {
            notes.push(self.compaction_note(ended, context));
        }
        match trailing {
            Some(message) if !same && self.is_fresh(message.at_ms, now_ms) => {
                notes.push(self.failure_note(&message, context));
            }
            Some(_) => {}
            None => notes.extend(self.unseen_note(context)),
        }
        if notes.len() < self.tables.notes_max {
            notes.extend(self.command_note(now_ms));
        }
        notes.truncate(self.tables.notes_max);
        notes
    }

    /// The failed answer at the end of the context, if no answer, abort or summary stands behind it.
    fn trailing<'m>(&self, messages: &'m [Message]) -> Option<&'m Assistant> {
        let stops = |message: &&Message| match message {
            Message::Assistant(answer) => {
                answer.ending == Ending::Error || (self.tables.ends_scan)(answer.ending)
            }
            Message::Summary => true,
            Message::Other => false,
        };
        match messages.iter().rev().find(stops)? {
            Message::Assistant(answer) if answer.ending == Ending::Error => {
                Some(answer).filter(|answer| self.silenced.as_ref() != Some(answer))
            }
            _ => None,
        }
    }

    fn is_fresh(&self, at_ms: u64, now_ms: u64) -> bool {
        at_ms == 0 || now_ms.saturating_sub(at_ms) <= self.tables.stale_ms
    }

    fn take_compaction(&mut self, now_ms: u64) -> Option<Compaction> {
        let taken = self.compaction.clone();
        if self.tables.one_shot {
            self.compaction = None;
        }
        taken.filter(|ended| self.is_fresh(ended.at_ms, now_ms))
    }

    fn classified(&self, message: &Assistant, now_ms: u64) -> Classified {
        let facts = ErrorFacts {
            status: message.status,
            provider: message.model.as_ref().map(|model| model.provider.as_str()),
            now_ms: Some(if message.at_ms == 0 { now_ms } else { message.at_ms }),
        };
        self.tables.classifier.classify(&message.error, &facts)
    }

    /// Whether another model will be asked than the one that failed, as a fact.
    fn switch_fact(&self, message: &Assistant, context: &AdvisorContext) -> Option<String> {
        let (then, now) = (message.model.as_ref()?, context.model.as_ref()?);
        let name = if then.id == now.id { full_name } else { model_name };
        (then != now && self.tables.switch_softens)
            .then(|| format!("It went to model {}; the model is now {}.", name(then), name(now)))
    }

    fn quote(&self, text: &str) -> String {
        (self.tables.quote)(text, self.tables.quote_chars_max)
    }

    fn failure_note(&self, message: &Assistant, context: &AdvisorContext) -> Note {
        let found = self.classified(message, context.now_ms);
        let attempts = match &self.last {
            Last::Failed(failure) if failure.message == *message => failure.attempts,
            _ => 1,
        };
        let switched = self.switch_fact(message, context);
        let advice =
            if switched.is_some() { found.class.advice_switched } else { found.class.advice };
        let mut facts = vec![self.failed_fact(message, &found, attempts)];
        facts.extend(switched);
        facts.extend(detail_facts(&found.details, message.at_ms, context.now_ms));
        Note {
            kind: NoteKind::ProviderError,
            class: Some((found.class.id, found.rule)),
            says_retry: found.class.note_says_retry,
            facts,
            advice: advice.to_owned(),
            quote: self.quote(&message.error),
            text: String::new(),
        }
        .compose()
    }

    /// The note on an overflow that left nothing behind: the host had nothing to compact, and took
    /// the failed message away. Only its end was heard.
    fn unseen_note(&mut self, context: &AdvisorContext) -> Option<Note> {
        let Last::Failed(failure) = &self.last else { return None };
        let message = failure.message.clone();
        let unseen = failure.settled && !failure.compacted && message.ending == Ending::Error;
        if !unseen || !self.is_fresh(message.at_ms, context.now_ms) {
            return None;
        }
        if self.classified(&message, context.now_ms).class.id != "overflow" {
            return None;
        }
        if self.tables.one_shot
            && let Last::Failed(failure) = &mut self.last
        {
            failure.compacted = true;
        }
        let mut note = self.failure_note(&message, context);
        note.kind = NoteKind::Compaction;
        note.facts.insert(
            1,
            "The host did not compact the conversation; there may be nothing to compact."
                .to_owned(),
        );
        Some(note.compose())
    }

    fn compaction_note(&self, ended: &Compaction, context: &AdvisorContext) -> Note {
        let failure = ended.failure.as_ref();
        let message = failure.map(|failure| &failure.message);
        let found = message
            .filter(|message| message.ending == Ending::Error)
            .map(|message| self.classified(message, context.now_ms));
        let switched = message.and_then(|message| self.switch_fact(message, context));
        // The host took another failure for a full context; the model is told what it was.
        let class = found.as_ref().map_or(OVERFLOW, |found| found.class);
        let misread = class.id != OVERFLOW.id;
        let host = if misread { "The host took this for a full context and" } else { "The host" };
        let mut facts = match (failure, &found) {
            (Some(failure), Some(found)) => {
                vec![self.failed_fact(&failure.message, found, failure.attempts)]
            }
            _ => vec![format!("The previous request failed: {}.", class.says)],
        };
        facts.push(match ended.ended {
            Ended::Done => {
                format!("{host} compacted the conversation: earlier messages are now a summary.")
            }
            Ended::Failed { .. } => {
                format!("{host} tried to compact the conversation, and that was not completed.")
            }
        });
        let advice = match &ended.ended {
            Ended::Done if !misread => COMPACTED_ADVICE,
            _ if switched.is_some() => class.advice_switched,
            _ => class.advice,
        };
        facts.extend(switched);
        if let (Some(message), Some(found)) = (message, &found) {
            facts.extend(detail_facts(&found.details, message.at_ms, context.now_ms));
        }
        let quote = match &ended.ended {
            Ended::Failed { said } if !said.is_empty() => said.clone(),
            _ => message.map(|message| self.quote(&message.error)).unwrap_or_default(),
        };
        let rule = found.as_ref().map_or("usage", |found| found.rule);
        Note {
            kind: NoteKind::Compaction,
            class: Some((class.id, rule)),
            says_retry: class.note_says_retry,
            facts,
            advice: advice.to_owned(),
            quote,
            text: String::new(),
        }
        .compose()
    }

    /// The sentence a note begins with; attempts are named only where more than one was heard.
    fn failed_fact(&self, message: &Assistant, found: &Classified, attempts: u32) -> String {
        let told = attempts >= self.tables.attempts_from;
        let after = if told { format!(" after {attempts} attempts") } else { String::new() };
        if message.error.is_empty() {
            return format!("The previous request failed{after}, and no reason was given.");
        }
        format!("The previous request failed{after}: {}.", found.class.says)
    }

    fn command_note(&mut self, now_ms: u64) -> Option<Note> {
        let commands = self.commands.clone();
        if self.tables.one_shot {
            self.commands.clear();
        }
        let mut fresh: Vec<_> =
            commands.into_iter().filter(|failed| self.is_fresh(failed.at_ms, now_ms)).collect();
        let latest = fresh.pop()?;
        let mut facts =
            vec![format!("The command /{} failed.", latest.name.trim_start_matches('/'))];
        if !fresh.is_empty() {
            let names: Vec<String> = fresh
                .iter()
                .map(|failed| format!("/{}", failed.name.trim_start_matches('/')))
                .collect();
            facts.push(format!("Before it, {} failed as well.", names.join(", ")));
        }
        let note = Note {
            kind: NoteKind::CommandFailure,
            class: None,
            says_retry: false,
            facts,
            advice: COMMAND_ADVICE.to_owned(),
            quote: latest.error,
            text: String::new(),
        };
        Some(note.compose())
    }
}

/// What a note on a finished compaction advises.
const COMPACTED_ADVICE: &str = "Go on with the same task. Details from before the summary may be missing: read a file again \
    where you need it, in small parts, and keep answers short.";

/// What a note on a failed command advises.
const COMMAND_ADVICE: &str = "It may have done only part of its work, and what it would have added to the conversation may be missing; \
    do not assume that it worked.";
