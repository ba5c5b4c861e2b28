//! Brings each repair's note to the result of the very call that was repaired, once.
//!
//! The host prepares arguments without saying for which call, and reports results by call id. A
//! [`Lifecycle`] is told of both, in the host's order, with the time passed in; it answers with the
//! [`Note`] that belongs to a result, or with nothing.

mod bounds;
mod indicator;
mod key;
mod note;
#[doc(hidden)]
pub mod tables;

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

pub use bounds::Bounds;
pub use indicator::indicator;
pub use note::{Expectations, Feedback, NOTE_CHARS_MAX, NOTE_CLOSE, NOTE_OPEN, Note};
use tables::Tables;

/// One thing the host reports, in the host's own order.
#[derive(Clone, Debug)]
pub enum Event<'e> {
    /// `message_end`: the call of this id was made, or its name was changed, before it starts.
    Announced {
        /// The call.
        id: &'e str,
        /// What was done to it.
        feedback: Feedback,
    },
    /// `tool_execution_start`: the call's arguments are prepared next.
    Started {
        /// The call.
        id: &'e str,
        /// The tool as the host names it.
        tool: &'e str,
    },
    /// `prepareArguments` returned. Report the calls that were left alone too: only then an equal
    /// call that was valid keeps its place, and gets no note.
    Prepared {
        /// The tool.
        tool: &'e str,
        /// What was handed to the host.
        args: &'e Value,
        /// What was repaired; `None` if nothing was.
        feedback: Option<Feedback>,
    },
    /// `tool_call`: the arguments are valid and the call is about to run.
    Called {
        /// The call.
        id: &'e str,
        /// The tool.
        tool: &'e str,
        /// The arguments that will run.
        args: &'e Value,
        /// True if another tool made the call (`parentToolCallId` is there).
        nested: bool,
    },
    /// `tool_result`: the call has run, well or badly.
    Finished {
        /// The call.
        id: &'e str,
        /// True if another tool made the call.
        nested: bool,
    },
    /// `tool_execution_end`: nothing more comes of the call, even if no result was reported.
    Ended {
        /// The call.
        id: &'e str,
    },
    /// `agent_end`: no call is running or about to.
    RunEnded,
    /// `session_shutdown`, also before a reload or another session.
    Shutdown,
}

/// A call whose id is known.
#[derive(Clone, Debug)]
struct Bound {
    since: u64,
    /// Counts up over the session; the oldest goes first where there are too many.
    order: u64,
    /// False for a call that is announced and has not started.
    started: bool,
    /// The note is not wanted, whatever is reported.
    silent: bool,
    /// How often the id has started without an end. Above one, nothing tells whose a result is.
    open: u32,
    /// Two calls under this id have been open at once, and one of them still is.
    shared: bool,
    feedback: Option<Feedback>,
}

/// Prepared arguments whose call is not known yet.
#[derive(Clone, Debug)]
struct Pending {
    since: u64,
    key: u64,
    feedback: Option<Feedback>,
}

/// The repairs of one session on their way to their results.
///
/// Matching is by the id of the start that directly precedes the preparation. Where the host gave
/// none, it is first in, first out among equal arguments of the same tool. Calls that are open under
/// one id at the same time get no note: nothing tells which of them a result belongs to.
///
/// # Examples
///
/// ```
/// use engine::lifecycle::{Event, Feedback, Lifecycle};
/// use serde_json::json;
///
/// let mut lifecycle = Lifecycle::default();
/// let args = json!({"path": "/x"});
/// let feedback = Some(Feedback::promoted("read", "dsml"));
/// lifecycle.on(Event::Started { id: "c1", tool: "read" }, 0);
/// lifecycle.on(Event::Prepared { tool: "read", args: &args, feedback }, 0);
/// lifecycle.on(Event::Called { id: "c1", tool: "read", args: &args, nested: false }, 1);
/// let note = lifecycle.on(Event::Finished { id: "c1", nested: false }, 900);
/// assert!(note.is_some_and(|note| note.text.contains("`read`")));
/// assert!(lifecycle.on(Event::Finished { id: "c1", nested: false }, 900).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    tables: Tables,
    bound: BTreeMap<String, Bound>,
    /// The ids of `bound` by their order.
    by_order: BTreeMap<u64, String>,
    pending: VecDeque<Pending>,
    /// The call that started last and whose arguments have not been prepared: id and tool.
    starting: Option<(String, String)>,
    order: u64,
    /// No call and no preparation is older, in milliseconds.
    earliest: u64,
}

impl Lifecycle {
    /// A lifecycle with these caps and ages.
    pub fn new(bounds: Bounds) -> Self {
        Self::planted(Tables { bounds, ..Tables::default() })
    }

    /// A lifecycle on altered steps, to plant a bug.
    #[doc(hidden)]
    pub fn planted(tables: Tables) -> Self {
        Self { tables, ..Self::default() }
    }

    /// Takes one report of the host at `now`, in milliseconds; a clock that goes back ages nothing.
    ///
    /// Only [`Event::Finished`] is ever answered. The note is attached as a content block of its
    /// own, before the result's blocks, in place: a host may drop other parts of a result whose
    /// content is replaced.
    pub fn on(&mut self, event: Event<'_>, now: u64) -> Option<Note> {
        self.expire(now);
        self.earliest = self.earliest.min(now);
        match event {
            Event::Announced { id, feedback } => self.announce(&key::of_id(id), feedback, now),
            Event::Started { id, tool } => self.start(&key::of_id(id), tool, now),
            Event::Prepared { tool, args, feedback } => {
                self.prepare(tool, key::of_call(tool, args), feedback, now);
            }
            Event::Called { id, tool, args, nested } => {
                self.starting = None;
                let id = &*key::of_id(id);
                let started = self.bound.get(id).is_some_and(|bound| bound.started);
                if !started || !self.tables.by_id {
                    self.adopt(id, key::of_call(tool, args), now);
                }
                if nested && self.tables.silent_when_nested {
                    self.silence(id);
                }
            }
            Event::Finished { id, nested } => return self.finish(&key::of_id(id), nested),
            Event::Ended { id } => self.end(&key::of_id(id)),
            Event::RunEnded | Event::Shutdown => {
                if self.tables.clear {
                    self.clear();
                }
            }
        }
        None
    }

    /// How many calls are known by id, and how many preparations wait for one.
    pub fn held(&self) -> (usize, usize) {
        (self.bound.len(), self.pending.len())
    }

    fn clear(&mut self) {
        self.bound.clear();
        self.by_order.clear();
        self.pending.clear();
        self.starting = None;
    }

    fn announce(&mut self, id: &str, feedback: Feedback, now: u64) {
        match self.bound.get_mut(id) {
            Some(bound) if !bound.started => Feedback::join(&mut bound.feedback, Some(feedback)),
            _ => self.bind(id, false, Some(feedback), now),
        }
    }

    fn start(&mut self, id: &str, tool: &str, now: u64) {
        self.starting = Some((id.to_owned(), tool.to_owned()));
        match self.bound.get_mut(id) {
            Some(bound) if !bound.started => {
                bound.started = true;
                bound.since = now;
            }
            // Some servers give one id to every call of an answer. Whose result comes first is not
            // known, and a note that reaches the wrong call is worse than none.
            Some(bound) if self.tables.silent_when_shared => {
                bound.open = bound.open.saturating_add(1);
                bound.shared = true;
                bound.since = now;
                bound.feedback = None;
            }
            // Other servers number the calls of every answer from the start: an id that starts
            // again behind its end is another call.
            _ => self.bind(id, true, None, now),
        }
    }

    fn prepare(&mut self, tool: &str, key: u64, feedback: Option<Feedback>, now: u64) {
        let starting = self.starting.take().filter(|(_, named)| named == tool);
        if self.tables.by_id
            && let Some((id, _)) = starting
        {
            return match self.bound.get_mut(&id) {
                Some(bound) => Feedback::join(&mut bound.feedback, feedback),
                // Too old, or one too many, since it started. Its id is known all the same: among
                // the nameless its repair would go to a call with equal arguments.
                None => self.bind(&id, true, feedback, now),
            };
        }
        if feedback.is_none() && !self.tables.queue_valid {
            return;
        }
        self.pending.push_back(Pending { since: now, key, feedback });
        while self.pending.len() > self.tables.bounds.pending_max {
            self.pending.pop_front();
        }
    }

    /// Gives the call `id` the first preparation of equal arguments.
    fn adopt(&mut self, id: &str, key: u64, now: u64) {
        let place = self.pending.iter().position(|pending| pending.key == key);
        let found = place.and_then(|place| self.pending.remove(place));
        let feedback = found.and_then(|pending| pending.feedback);
        match self.bound.get_mut(id) {
            Some(bound) => {
                bound.started = true;
                Feedback::join(&mut bound.feedback, feedback);
            }
            None => self.bind(id, true, feedback, now),
        }
    }

    fn bind(&mut self, id: &str, started: bool, feedback: Option<Feedback>, now: u64) {
        self.order += 1;
        let (silent, shared) = (false, false);
        let bound =
            Bound { since: now, order: self.order, started, silent, open: 1, shared, feedback };
        self.forget(id);
        self.bound.insert(id.to_owned(), bound);
        self.by_order.insert(self.order, id.to_owned());
        while self.bound.len() > self.tables.bounds.bound_max {
            let Some((_, oldest)) = self.by_order.pop_first() else { return };
            self.bound.remove(&oldest);
        }
    }

    fn forget(&mut self, id: &str) -> Option<Bound> {
        let bound = self.bound.remove(id)?;
        self.by_order.remove(&bound.order);
        Some(bound)
    }

    fn end(&mut self, id: &str) {
        self.forget_start(id);
        let bound = self.bound.get_mut(id);
        let open = bound.map_or(0, |bound| {
            bound.open = bound.open.saturating_sub(1);
            bound.open
        });
        if open == 0 && self.tables.forget_ended {
            self.forget(id);
        }
    }

    /// The arguments of `id` will not be prepared any more; another call's result says nothing of it.
    fn forget_start(&mut self, id: &str) {
        self.starting.take_if(|(starting, _)| starting == id);
    }

    fn silence(&mut self, id: &str) {
        if let Some(bound) = self.bound.get_mut(id) {
            bound.silent = true;
        }
    }

    fn finish(&mut self, id: &str, nested: bool) -> Option<Note> {
        self.forget_start(id);
        if self.bound.get(id).is_some_and(|bound| bound.shared) {
            return None;
        }
        let bound = if self.tables.once { self.forget(id) } else { self.bound.get(id).cloned() }?;
        let silent = bound.silent || (nested && self.tables.silent_when_nested);
        bound.feedback.filter(|_| !silent).map(|feedback| (self.tables.render)(&feedback))
    }

    fn expire(&mut self, now: u64) {
        let Bounds { pending_ms_max, bound_ms_max, .. } = self.tables.bounds;
        let expired = self.tables.expired;
        // Nothing is older than the earliest, so most reports look no further.
        let age = now.saturating_sub(self.earliest);
        if !expired(age, pending_ms_max.min(bound_ms_max)) {
            return;
        }
        self.pending.retain(|pending| !expired(now.saturating_sub(pending.since), pending_ms_max));
        self.bound.retain(|_, bound| !expired(now.saturating_sub(bound.since), bound_ms_max));
        self.by_order.retain(|_, id| self.bound.contains_key(id));
        let since = self.bound.values().map(|bound| bound.since);
        let earliest = since.chain(self.pending.iter().map(|pending| pending.since)).min();
        self.earliest = earliest.unwrap_or(now).min(now);
    }
}

#[cfg(test)]
mod tests;
