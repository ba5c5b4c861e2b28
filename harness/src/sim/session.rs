//! The session around runs: prompts, retries, aborts, and how it settles.

use std::rc::Rc;

use corpus::Origin;
use serde_json::{Value, json};

use super::{
    Sim, classify,
    entries::{Entry, Kind, Projected, messages, project},
    live::Live,
    message::{Msg, role, shared, text_of, user},
    profile::Way,
    run::{stop_of, system},
    signal::Signal,
};

/// How the last turn ended.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Why {
    #[default]
    Completed,
    Failed,
    Aborted,
}

const BUSY: &str = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.";
const RUNNING: &str = "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.";
const COMPACTING: &str = "Cannot submit a prompt while compaction is in progress. Wait for compaction to finish and retry.";

impl Sim {
    /// Appends an entry; its id.
    pub(super) fn keep(&self, kind: Kind) -> usize {
        let at_ms = self.now();
        let mut state = self.state.borrow_mut();
        let id = state.entries.len();
        state.entries.push(Entry { id, at_ms, kind });
        id
    }

    /// What the session's entries amount to.
    pub(super) fn projection(&self) -> Vec<Projected> {
        project(&self.state.borrow().entries, self.profile.has(Way::EditsContext))
    }

    /// Makes the agent's messages those of the entries.
    pub(super) fn refresh(&self) {
        let fresh = messages(&self.projection());
        self.state.borrow_mut().messages = fresh;
    }

    /// Whether the session listens to the loop.
    pub(super) fn hears(&self) -> bool {
        !self.state.borrow().deaf
    }

    /// The user sends a message; an error where pi refuses it.
    pub(super) async fn prompt(self: &Rc<Self>, text: &str) -> Result<(), String> {
        {
            let mut state = self.state.borrow_mut();
            if state.manual.is_some() && self.profile.has(Way::RefusesPromptWhileCompacting) {
                return Err(COMPACTING.to_owned());
            }
            if state.active {
                return Err(BUSY.to_owned());
            }
            state.active = self.profile.has(Way::ActiveWhilePreparing);
            if state.active {
                state.abort_requested = false;
            }
        }
        let messages = self.prepare_run(text).await;
        {
            let mut state = self.state.borrow_mut();
            if !self.profile.has(Way::ActiveWhilePreparing) {
                state.abort_requested = false;
            }
            state.active = true;
        }
        // Another prompt may have begun to run while this one was prepared.
        let ended = if self.state.borrow().run.is_some() {
            Err(RUNNING.to_owned())
        } else {
            self.run_prompts(messages, true).await;
            self.after_run().await
        };
        if self.ends_run() {
            self.finish_cancelled_retry();
        }
        self.settle().await;
        ended
    }

    async fn prepare_run(self: &Rc<Self>, text: &str) -> Vec<Msg> {
        let last = self.last_assistant();
        if let Some(last) = last {
            self.check_compaction(&last, false).await;
        }
        let added = self.emit_before_agent_start(text).await;
        let mut messages = Vec::new();
        if self.profile.has(Way::SystemMessages) && !self.state.borrow().declared {
            self.state.borrow_mut().declared = true;
            messages.push(system(self.now()));
        }
        messages.push(user(text, self.now()));
        for message in added {
            let mut custom = json!({"role": "custom", "timestamp": self.now()});
            for key in ["customType", "content", "display", "details"] {
                if let Some(value) = message.get(key) {
                    custom[key] = value.clone();
                }
            }
            if custom.get("content").is_none_or(Value::is_null) {
                custom["content"] = json!([]);
            }
            messages.push(shared(custom));
        }
        messages
    }

    /// Whether an abort was asked for that ends the whole run.
    pub(super) fn ends_run(&self) -> bool {
        self.profile.has(Way::AbortEndsRun) && self.state.borrow().abort_requested
    }

    /// Retries, compactions and waiting messages, until nothing is left to do.
    async fn after_run(self: &Rc<Self>) -> Result<(), String> {
        while !self.ends_run() {
            let goes_on = self.goes_on().await;
            if !goes_on && (self.ends_run() || !self.before_settle().await) {
                break;
            }
            if self.ends_run() {
                break;
            }
            self.run_on().await?;
        }
        Ok(())
    }

    async fn goes_on(self: &Rc<Self>) -> bool {
        let last = self.state.borrow_mut().last_answer.take();
        if self.ends_run() {
            self.finish_cancelled_retry();
            return false;
        }
        let Some(last) = last else {
            return self.profile.has(Way::AbortEndsRun) && self.has_waiting();
        };
        if self.is_retryable(&last) && self.retry(&last).await {
            if self.ends_run() {
                self.finish_cancelled_retry();
                return false;
            }
            return true;
        }
        if self.ends_run() {
            self.finish_cancelled_retry();
            return false;
        }
        let attempt = self.state.borrow().attempt;
        if stop_of(&last) == "error" && attempt > 0 {
            let error = text_of(&last, "errorMessage").unwrap_or_default();
            self.retry_ended(false, attempt, &error);
        }
        if self.check_compaction(&last, true).await {
            return !self.ends_run();
        }
        !self.ends_run() && self.has_waiting()
    }

    pub(super) fn has_waiting(&self) -> bool {
        let state = self.state.borrow();
        !state.steering.is_empty() || !state.follow_ups.is_empty()
    }

    async fn before_settle(self: &Rc<Self>) -> bool {
        if !self.profile.has(Way::AsksBeforeSettling) {
            return false;
        }
        let outcome = match self.state.borrow().outcome {
            Why::Completed => "completed",
            Why::Failed => "error",
            Why::Aborted => "aborted",
        };
        let event = json!({"type": "agent_before_settle", "outcome": outcome});
        self.emit("agent_before_settle", Live::new(event)).await;
        self.refresh();
        !self.ends_run() && self.has_waiting()
    }

    async fn settle(self: &Rc<Self>) {
        self.state.borrow_mut().active = false;
        let mut event = json!({"type": "agent_settled"});
        if self.profile.has(Way::SettledSaysAborted) {
            event["aborted"] = json!(self.state.borrow().abort_requested);
        }
        self.emit("agent_settled", Live::new(event)).await;
        self.idle.notify_waiters();
    }

    /// Whether nothing runs.
    fn is_idle(&self) -> bool {
        let state = self.state.borrow();
        let compacts = state.manual.is_some() || state.automatic.is_some();
        let counts = self.profile.has(Way::TellsFailedCompaction);
        !state.active && (!compacts || !counts)
    }

    pub(super) async fn wait_for_idle(&self) {
        while !self.is_idle() {
            self.idle.notified().await;
        }
    }

    /// The user aborts: everything that can be stopped at once.
    pub(super) fn abort(&self) {
        if self.state.borrow().active {
            self.state.borrow_mut().abort_requested = true;
        }
        self.abort_retry();
        if self.profile.has(Way::AbortStopsCompaction) {
            self.abort_compaction();
        }
        self.abort_run();
    }

    pub(super) fn abort_run(&self) {
        let run = self.state.borrow().run.clone();
        if let Some(signal) = run {
            signal.fire();
        }
    }

    pub(super) fn abort_retry(&self) {
        let pause = self.state.borrow().pause.clone();
        if let Some(signal) = pause {
            signal.fire();
        }
    }

    pub(super) fn abort_compaction(&self) {
        let (manual, automatic) = {
            let state = self.state.borrow();
            (state.manual.clone(), state.automatic.clone())
        };
        for signal in manual.into_iter().chain(automatic) {
            signal.fire();
            // An extension was handed the signal before the compaction began.
            if let Some(extension) = &self.extension {
                let mut event = json!({"type": "compact_aborted"});
                if let Err(error) = extension.at("compact_aborted", &mut event) {
                    self.report("compact_aborted", &error);
                }
            }
        }
    }

    pub(super) async fn agent_end(self: &Rc<Self>, answers: &[Msg]) {
        if !self.hears() {
            return;
        }
        self.emit("agent_end", Live::new(json!({"type": "agent_end"}))).await;
        let will_retry = self.will_retry(answers);
        self.log(Origin::S, "agent_end", &format!("willRetry={will_retry}"), None);
    }

    fn will_retry(&self, answers: &[Msg]) -> bool {
        let state = self.state.borrow();
        let left = state.retries && state.attempt < self.script.settings.retry.max;
        drop(state);
        left && !self.ends_run() && answers.last().is_some_and(|last| self.is_retryable(last))
    }

    /// An answer is complete: it ends a series of retries unless it failed too.
    pub(super) fn note_answer(self: &Rc<Self>, message: &Msg) {
        let stop = stop_of(message);
        let keeps_trying = |stop: &str| {
            stop == "error" || (stop == "length" && self.profile.has(Way::RecoversLength))
        };
        let mut state = self.state.borrow_mut();
        state.last_answer = Some(message.clone());
        if !keeps_trying(&stop) {
            state.overflow_tried = false;
        }
        let attempt = state.attempt;
        drop(state);
        if stop != "error" && attempt > 0 {
            self.log(Origin::S, "auto_retry_end", &format!("success=true attempt={attempt}"), None);
            self.state.borrow_mut().attempt = 0;
        }
    }

    fn is_retryable(&self, message: &Msg) -> bool {
        let window = self.model().context_window;
        let message = message.borrow();
        let release = self.profile.release();
        !classify::overflows(release, &message, window) && classify::retryable(release, &message)
    }

    /// Waits before another attempt; false if there is none.
    async fn retry(self: &Rc<Self>, message: &Msg) -> bool {
        let settings = &self.script.settings.retry;
        let attempt = {
            let mut state = self.state.borrow_mut();
            if !state.retries || state.attempt >= settings.max {
                return false;
            }
            state.attempt += 1;
            state.attempt
        };
        self.log(Origin::S, "auto_retry_start", &format!("{attempt}/{}", settings.max), None);
        self.omit(message);
        let pause = Signal::default();
        self.state.borrow_mut().pause = Some(pause.clone());
        let delay = settings.base_delay_ms.saturating_mul(1 << (attempt - 1).min(20));
        let waited = pause.before(self.sleep(delay)).await;
        self.state.borrow_mut().pause = None;
        if !waited {
            self.finish_cancelled_retry();
        }
        waited
    }

    fn finish_cancelled_retry(self: &Rc<Self>) {
        let attempt = self.state.borrow().attempt;
        if attempt > 0 {
            self.retry_ended(false, attempt, "Retry cancelled");
        }
    }

    fn retry_ended(self: &Rc<Self>, success: bool, attempt: u32, error: &str) {
        self.state.borrow_mut().attempt = 0;
        let error = if error.is_empty() { String::new() } else { format!(" error={error}") };
        let what = format!("success={success} attempt={attempt}{error}");
        self.log(Origin::S, "auto_retry_end", &what, None);
    }

    /// Takes a failed attempt, and what answered its calls, out of the context.
    pub(super) fn omit(&self, message: &Msg) {
        if !self.profile.has(Way::EditsContext) {
            self.drop_last_answer(&["error", "length", "stop", "toolUse", "aborted"]);
            return;
        }
        let targets: Vec<usize> = {
            let state = self.state.borrow();
            let own = |message: &Msg| state.entries.iter().rev().find(|entry| entry.holds(message));
            let ids = call_ids(message);
            let place = state.messages.iter().position(|it| Rc::ptr_eq(it, message));
            let after = place.map_or(&[][..], |at| &state.messages[at + 1..]);
            let results = after
                .iter()
                .take_while(|it| role(it) != "assistant")
                .filter(|it| text_of(it, "toolCallId").is_some_and(|id| ids.contains(&id)));
            [message].into_iter().chain(results).filter_map(own).map(|entry| entry.id).collect()
        };
        for target in targets {
            self.keep(Kind::Edit(target));
        }
        self.refresh();
    }

    /// Drops the last message of the agent if it is an answer that stopped like this.
    pub(super) fn drop_last_answer(&self, stops: &[&str]) {
        let mut state = self.state.borrow_mut();
        let drops = state.messages.last().is_some_and(|last| {
            role(last) == "assistant" && stops.contains(&stop_of(last).as_str())
        });
        if drops {
            state.messages.pop();
        }
    }

    fn last_assistant(&self) -> Option<Msg> {
        let state = self.state.borrow();
        state.messages.iter().rev().find(|message| role(message) == "assistant").cloned()
    }
}

fn call_ids(message: &Msg) -> Vec<String> {
    let message = message.borrow();
    let blocks = message["content"].as_array().into_iter().flatten();
    let calls = blocks.filter(|block| block["type"] == "toolCall");
    calls.filter_map(|block| block["id"].as_str().map(str::to_owned)).collect()
}
