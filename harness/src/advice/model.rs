//! Which notes are due: a slow second opinion that asks the whole history anew for every step.
//!
//! What it goes by:
//!
//! - The *last answer* is the last one heard in this session. It is *bad* if it failed, or if it was
//!   cut before its first token with the context full. What follows a good one is nobody's failure.
//! - *Closed* is what an abort or a finished compaction ends: nothing more is told of that answer,
//!   apart from the compaction itself.
//! - Of compactions only those for an overflow are told, and only behind a bad answer, or where no
//!   answer was heard. A failed one is reported once for an answer; it is also taken to have failed if
//!   the host settles, or asks again, without having said how it ended.
//! - An abort silences the last failure before it, for good.

use engine::advisor::{
    AdvisorContext, Assistant, CLASSES, CompactReason, Consequence, Ending, ErrorFacts, HostEvent,
    Message, Model, NoteKind,
};

use super::case::{Case, Meaning, standing};
use super::subject::Subject;
use crate::transcript::{Step, What};

/// From here on a failure is not worth a note.
const STALE_MS: u64 = 15 * 60 * 1000;

/// Command failures that are kept.
const COMMANDS_MAX: usize = 8;

/// A note that is due.
#[derive(Clone, Debug, PartialEq)]
pub struct Due {
    /// What it is about.
    pub kind: NoteKind,
    /// The answer behind it.
    pub about: Option<Assistant>,
    /// The class it must name; none for commands.
    pub meaning: Option<Meaning>,
    /// Failed attempts that were heard.
    pub attempts: usize,
    /// Whether another model is asked now.
    pub switched: bool,
    /// Whether a compaction was finished, if the note is about one.
    pub done: bool,
}

/// What must come of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreseen {
    /// A warning to the user.
    pub warns: bool,
    /// The notes to the model, in order.
    pub notes: Vec<Due>,
}

/// What must come of every step; `subject` is asked about texts of which nothing is known.
pub fn foresee(case: &Case, subject: &dyn Subject) -> Vec<Foreseen> {
    let mut told = Vec::new();
    for at in 0..case.steps.len() {
        let view = View { case, subject, past: &case.steps[..at], told: &told };
        told.push(view.step(&case.steps[at]));
    }
    told
}

/// The end of a compaction that is not told yet.
#[derive(Clone, Debug)]
struct Ended {
    about: Option<Assistant>,
    attempts: usize,
    done: bool,
    at_ms: u64,
}

/// How things stand behind the last answer.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one answer")]
struct Tail {
    pending: Option<Ended>,
    /// Nothing more is told of the answer.
    closed: bool,
    /// A failed compaction was reported.
    reported: bool,
    /// An overflow compaction has begun, and its end was not heard.
    open: bool,
    /// One was begun at all, or its absence told.
    compacted: bool,
    settled: bool,
    /// The last step of all warned.
    warned: bool,
}

struct View<'c> {
    case: &'c Case,
    subject: &'c dyn Subject,
    past: &'c [Step],
    told: &'c [Foreseen],
}

fn event(step: &Step) -> Option<&HostEvent> {
    match &step.what {
        What::Event { event, .. } => Some(event),
        What::Request { .. } => None,
    }
}

fn answer(step: &Step) -> Option<&Assistant> {
    match event(step)? {
        HostEvent::AssistantEnd(answer) => Some(answer),
        _ => None,
    }
}

/// Whether a step is the user's abort.
pub fn is_abort(step: &Step) -> bool {
    match event(step) {
        Some(HostEvent::CompactAborted | HostEvent::Settled { aborted: true }) => true,
        Some(HostEvent::CompactFailed { reason, aborted, .. }) => {
            *aborted && *reason == CompactReason::Overflow
        }
        Some(HostEvent::AssistantEnd(answer)) => answer.ending == Ending::Aborted,
        _ => false,
    }
}

/// Whether the context was full before the first token.
fn is_full(answer: &Assistant) -> bool {
    let Some(usage) = answer.usage else { return false };
    let nearly = usage.window == 0 || usage.input * 100 >= usage.window * 99;
    answer.ending == Ending::Length && usage.output == 0 && nearly
}

fn is_bad(answer: &Assistant) -> bool {
    answer.ending == Ending::Error || is_full(answer)
}

fn fresh(at_ms: u64, now_ms: u64) -> bool {
    at_ms == 0 || now_ms < at_ms || now_ms - at_ms <= STALE_MS
}

impl<'c> View<'c> {
    /// The steps of this session.
    fn session(&self) -> &'c [Step] {
        let reset = self.past.iter().rposition(|step| event(step) == Some(&HostEvent::Reset));
        &self.past[reset.map_or(0, |at| at + 1)..]
    }

    fn last_answer(&self) -> Option<&'c Assistant> {
        self.session().iter().rev().find_map(answer)
    }

    /// Failed attempts up to the last answer: in a row, none before the user's last word, a compaction or an abort.
    fn attempts(&self) -> usize {
        let steps = self.session();
        let Some(last) = steps.iter().rposition(|step| answer(step).is_some()) else { return 0 };
        let before = steps[..=last].iter().rev();
        let breaks = |step: &&Step| match event(step) {
            Some(HostEvent::UserEnd | HostEvent::Compacted { .. }) => true,
            Some(HostEvent::AssistantEnd(answer)) => answer.ending != Ending::Error,
            _ => is_abort(step),
        };
        before.take_while(|step| !breaks(step)).filter(|step| answer(step).is_some()).count()
    }

    /// What became of the last answer, `next` included.
    fn tail(&self, next: Option<&Step>) -> Tail {
        let start = self.past.len() - self.session().len();
        let last = self.session().iter().rposition(|step| answer(step).is_some());
        let from = start + last.map_or(0, |at| at + 1);
        let mut tail = Tail::default();
        for (at, step) in self.past.iter().enumerate().skip(from) {
            self.follow(&mut tail, step);
            if matches!(step.what, What::Request { .. }) {
                tail.pending = None;
                let told = |note: &Due| note.kind == NoteKind::Compaction;
                tail.compacted |= self.told[at].notes.iter().any(told);
            }
        }
        if let Some(next) = next {
            self.follow(&mut tail, next);
        }
        tail
    }

    fn follow(&self, tail: &mut Tail, step: &Step) {
        tail.warned = false;
        let overflow = |reason: &CompactReason| *reason == CompactReason::Overflow;
        if is_abort(step) {
            *tail = Tail { closed: true, reported: tail.reported, ..Tail::default() };
            return;
        }
        match event(step) {
            Some(HostEvent::BeforeCompact { reason, .. }) => {
                tail.open = overflow(reason);
                tail.compacted |= tail.open;
            }
            Some(HostEvent::Compacted { reason, will_retry }) => {
                let about = self.last_answer();
                let tells = !tail.closed && overflow(reason) && about.map_or(*will_retry, is_bad);
                tail.pending = tells.then(|| self.ended(true, step.at_ms));
                (tail.closed, tail.open) = (true, false);
            }
            Some(HostEvent::CompactFailed { reason, .. }) if overflow(reason) => {
                self.report(tail, step.at_ms);
            }
            Some(HostEvent::Settled { .. }) => {
                if tail.open {
                    self.report(tail, step.at_ms);
                }
                tail.settled |= !tail.closed;
            }
            None if tail.open => self.report(tail, step.at_ms),
            _ => {}
        }
    }

    /// A compaction failed.
    fn report(&self, tail: &mut Tail, at_ms: u64) {
        tail.open = false;
        let nobody = self.last_answer().is_some_and(|answer| !is_bad(answer));
        if tail.closed || tail.reported || nobody {
            return;
        }
        (tail.reported, tail.compacted, tail.warned) = (true, true, true);
        tail.pending = Some(self.ended(false, at_ms));
    }

    fn ended(&self, done: bool, at_ms: u64) -> Ended {
        Ended { about: self.last_answer().cloned(), attempts: self.attempts(), done, at_ms }
    }

    fn step(&self, step: &Step) -> Foreseen {
        match &step.what {
            What::Event { .. } => {
                Foreseen { warns: self.tail(Some(step)).warned, notes: Vec::new() }
            }
            What::Request { messages, model, .. } => {
                let context = AdvisorContext { now_ms: step.at_ms, model: model.clone() };
                Foreseen { warns: false, notes: self.notes(step, messages, &context) }
            }
        }
    }

    fn notes(&self, step: &Step, messages: &[Message], context: &AdvisorContext) -> Vec<Due> {
        let now_ms = context.now_ms;
        let tail = self.tail(Some(step));
        let ended = tail.pending.clone().filter(|ended| fresh(ended.at_ms, now_ms));
        let trailing = match standing(messages) {
            Some(Message::Assistant(answer)) => Some(answer)
                .filter(|answer| answer.ending == Ending::Error && !self.is_silenced(answer)),
            _ => None,
        };
        let mut notes = Vec::new();
        if let Some(ended) = &ended {
            notes.push(self.due_compaction(ended, context));
        }
        if let Some(answer) = trailing {
            let told = ended.as_ref().and_then(|ended| ended.about.as_ref()) == Some(answer);
            if !told && fresh(answer.at_ms, now_ms) {
                notes.push(self.due_failure(answer, context));
            }
        } else if ended.is_none() {
            notes.extend(self.due_unseen(&tail, context));
        }
        if notes.len() < 2 && self.has_fresh_command(now_ms) {
            let kind = NoteKind::CommandFailure;
            notes.push(Due {
                kind,
                about: None,
                meaning: None,
                attempts: 0,
                switched: false,
                done: false,
            });
        }
        notes
    }

    /// Whether the user stopped what followed this failure.
    fn is_silenced(&self, failed: &Assistant) -> bool {
        let steps = self.session();
        let Some(abort) = steps.iter().rposition(is_abort) else { return false };
        let (before, after) = steps.split_at(abort);
        let last =
            before.iter().rev().filter_map(answer).find(|answer| answer.ending == Ending::Error);
        last == Some(failed) && !after.iter().filter_map(answer).any(|answer| answer == failed)
    }

    fn meaning(&self, answer: &Assistant, now_ms: u64) -> Meaning {
        if let Some(meaning) = self.case.about(&answer.error).and_then(|said| said.meaning.clone())
        {
            return meaning;
        }
        let provider = answer.model.as_ref().map(|model| model.provider.as_str());
        let at_ms = if answer.at_ms == 0 { now_ms } else { answer.at_ms };
        let facts = ErrorFacts { status: answer.status, provider, now_ms: Some(at_ms) };
        self.subject.word(&answer.error, &facts)
    }

    fn due_failure(&self, answer: &Assistant, context: &AdvisorContext) -> Due {
        let last = self.last_answer() == Some(answer);
        let closed = self.tail(None).closed;
        Due {
            kind: NoteKind::ProviderError,
            meaning: Some(self.meaning(answer, context.now_ms)),
            attempts: if last && !closed { self.attempts() } else { 1 },
            switched: switched(answer, context.model.as_ref()),
            about: Some(answer.clone()),
            done: false,
        }
    }

    fn due_compaction(&self, ended: &Ended, context: &AdvisorContext) -> Due {
        let failed = ended.about.as_ref().filter(|answer| answer.ending == Ending::Error);
        let overflow = Meaning { class: "overflow".to_owned(), exact: true };
        let meaning = failed.map_or(overflow, |answer| self.meaning(answer, context.now_ms));
        let about = ended.about.as_ref();
        Due {
            kind: NoteKind::Compaction,
            meaning: Some(meaning),
            attempts: if failed.is_some() { ended.attempts } else { 0 },
            switched: about.is_some_and(|answer| switched(answer, context.model.as_ref())),
            about: ended.about.clone(),
            done: ended.done,
        }
    }

    /// The host had nothing to compact: no event, and the failed message is gone.
    fn due_unseen(&self, tail: &Tail, context: &AdvisorContext) -> Option<Due> {
        let answer = self.last_answer().filter(|answer| answer.ending == Ending::Error)?;
        let quiet = tail.closed || tail.compacted || !tail.settled;
        if quiet || !fresh(answer.at_ms, context.now_ms) {
            return None;
        }
        let due = self.due_failure(answer, context);
        let means = consequence(&due.meaning.as_ref()?.class);
        (means == Some(Consequence::Overflow)).then_some(Due { kind: NoteKind::Compaction, ..due })
    }

    /// A command failed since the last request that could tell it.
    fn has_fresh_command(&self, now_ms: u64) -> bool {
        let start = self.past.len() - self.session().len();
        let heard = |at: usize| {
            let request = matches!(self.past[at].what, What::Request { .. });
            let notes = &self.told[at].notes;
            let others = notes.iter().filter(|note| note.kind != NoteKind::CommandFailure);
            request && others.count() < 2
        };
        let from = (start..self.past.len()).rfind(|at| heard(*at)).map_or(start, |at| at + 1);
        let failed = self.past[from..].iter().filter(|step| {
            matches!(event(step), Some(HostEvent::CommandEnd { error, .. }) if !error.is_empty())
        });
        failed.rev().take(COMMANDS_MAX).any(|step| fresh(step.at_ms, now_ms))
    }
}

fn switched(answer: &Assistant, model: Option<&Model>) -> bool {
    matches!((answer.model.as_ref(), model), (Some(then), Some(now)) if then != now)
}

/// What a class means for a retry.
pub fn consequence(class: &str) -> Option<Consequence> {
    CLASSES.iter().find(|row| row.id == class).map(|row| row.consequence)
}
