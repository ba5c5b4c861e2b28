//! Compactions: when one is due, and how it goes.

use std::rc::Rc;

use corpus::Origin;
use serde_json::{Value, json};

use super::{
    Sim, classify,
    entries::{Compaction, Entry, Files, Kind, Preparation, messages, prepare, projected_tokens},
    hooks::truthy,
    live::Live,
    message::{Msg, context_tokens, reported, role, text_of},
    profile::Way,
    run::stop_of,
    signal::Signal,
};

const GAVE_UP: &str = "Context overflow recovery failed after one compact-and-retry attempt. Try reducing context or switching to a larger-context model.";
const GAVE_UP_LENGTH: &str =
    "Truncated response recovery failed after one compact-and-retry attempt.";
const CANCELLED: &str = "Compaction cancelled";

/// How a compaction ended.
enum End {
    Done,
    /// With what the user who asked for it is told.
    Aborted(String),
    Failed(String),
}

impl Sim {
    /// After a run, and before a prompt: compacts if that is due; whether the agent goes on.
    pub(super) async fn check_compaction(
        self: &Rc<Self>,
        message: &Msg,
        skips_aborted: bool,
    ) -> bool {
        if !self.state.borrow().compacts || (skips_aborted && stop_of(message) == "aborted") {
            return false;
        }
        let last = self.last_compaction();
        let stamp = message.borrow()["timestamp"].as_u64();
        if last.is_some_and(|at| stamp.is_some_and(|stamp| stamp <= at)) {
            return false;
        }
        let overflow = self.is_overflow(message);
        if overflow || self.is_cut_short(message) {
            return self.recover(message, overflow).await;
        }
        let window = self.model().context_window;
        let Some(tokens) = self.tokens_after(message, last) else { return false };
        if tokens > window.saturating_sub(self.script.settings.compaction.reserve_tokens) {
            return self.compact_itself("threshold", false).await;
        }
        false
    }

    fn last_compaction(&self) -> Option<u64> {
        let state = self.state.borrow();
        state.entries.iter().rev().find(|entry| entry.is_compaction()).map(|entry| entry.at_ms)
    }

    fn same_model(&self, message: &Msg) -> bool {
        text_of(message, "model").is_some_and(|id| id == self.model().id)
    }

    fn is_overflow(&self, message: &Msg) -> bool {
        if !self.same_model(message) {
            return false;
        }
        let release = self.profile.release();
        let by_text = classify::overflows(release, &message.borrow(), 0);
        let by_usage = classify::overflows(release, &message.borrow(), self.model().context_window);
        if !self.profile.has(Way::EditsContext) {
            return by_usage;
        }
        let (is_edited, is_projected, later_edit) = self.standing(message);
        (by_text && !is_edited) || (is_projected && !later_edit && by_usage)
    }

    /// Whether the answer was edited out, whether it counts, and whether an edit came after it.
    fn standing(&self, message: &Msg) -> (bool, bool, bool) {
        let state = self.state.borrow();
        let Some(at) = state.entries.iter().rposition(|entry| entry.holds(message)) else {
            return (false, true, false);
        };
        let after = &state.entries[at + 1..];
        let id = state.entries[at].id;
        let hits = |entry: &Entry| matches!(entry.kind, Kind::Edit(target) if target == id);
        let is_edited = after.iter().any(hits) || after.iter().any(Entry::is_compaction);
        let later_edit = after.iter().any(|entry| matches!(entry.kind, Kind::Edit(_)));
        drop(state);
        let rows = self.projection();
        let is_projected = rows.iter().any(|row| row.entry.id == id && !row.messages.is_empty());
        (is_edited, is_projected, later_edit)
    }

    fn is_cut_short(&self, message: &Msg) -> bool {
        let most = self.model().max_tokens;
        let output = message.borrow()["usage"]["output"].as_u64();
        self.profile.has(Way::RecoversLength)
            && self.same_model(message)
            && stop_of(message) == "length"
            && output.is_some_and(|output| output < most)
            && (!self.profile.has(Way::EditsContext) || self.standing(message).1)
    }

    async fn recover(self: &Rc<Self>, message: &Msg, overflow: bool) -> bool {
        if stop_of(message) == "stop" {
            return self.compact_itself("overflow", false).await;
        }
        if self.state.borrow().overflow_tried {
            let error = if overflow { GAVE_UP } else { GAVE_UP_LENGTH };
            self.compaction_ended("overflow", false, &End::Failed(error.to_owned()));
            self.tell_failed("overflow", &End::Failed(error.to_owned())).await;
            return false;
        }
        self.state.borrow_mut().overflow_tried = true;
        self.omit(message);
        self.compact_itself("overflow", true).await
    }

    /// Tokens of the context, as far as they can be told.
    fn tokens_after(&self, message: &Msg, last_compaction: Option<u64>) -> Option<u64> {
        if self.profile.has(Way::EditsContext) {
            let rows = self.projection();
            if rows.iter().any(|row| matches!(row.entry.kind, Kind::Edit(_))) {
                return Some(projected_tokens(&rows, &self.state.borrow().entries));
            }
        }
        let direct = reported(&message.borrow());
        if stop_of(message) != "error" && direct > 0 {
            return Some(direct);
        }
        let state = self.state.borrow();
        let (tokens, last) = context_tokens(&state.messages);
        let Some(last) = last else {
            return self.profile.has(Way::EstimatesWithoutUsage).then_some(tokens);
        };
        let stamp = state.messages[last].borrow()["timestamp"].as_u64();
        let outdated = last_compaction.is_some_and(|at| stamp.is_some_and(|stamp| stamp <= at));
        (!outdated).then_some(tokens)
    }

    /// Between two turns of a run.
    pub(super) async fn compact_between(self: &Rc<Self>, context: &mut Vec<Msg>) {
        let tokens = if self.profile.has(Way::EditsContext) {
            projected_tokens(&self.projection(), &self.state.borrow().entries)
        } else {
            context_tokens(context).0
        };
        let window = self.model().context_window;
        let most = window.saturating_sub(self.script.settings.compaction.reserve_tokens);
        if self.state.borrow().compacts && window > 0 && tokens > most {
            self.compact_itself("threshold", false).await;
            context.clone_from(&self.state.borrow().messages);
        }
        if self.profile.has(Way::EditsContext) {
            *context = messages(&self.projection());
        }
    }

    /// A compaction nobody asked for; whether the agent goes on after it.
    async fn compact_itself(self: &Rc<Self>, reason: &str, will_retry: bool) -> bool {
        let Some(preparation) = self.preparation() else { return false };
        let signal = Signal::default();
        self.state.borrow_mut().automatic = Some(signal.clone());
        self.log(Origin::S, "compaction_start", reason, None);
        let end = self.compact_with(&preparation, reason, will_retry, &signal).await;
        if matches!(end, End::Done) {
            self.compaction_ended(reason, will_retry, &end);
        } else {
            let end = match end {
                End::Failed(error) if reason == "overflow" => {
                    End::Failed(format!("Context overflow recovery failed: {error}"))
                }
                End::Failed(error) => End::Failed(format!("Auto-compaction failed: {error}")),
                other => other,
            };
            self.compaction_ended(reason, false, &end);
            self.tell_failed(reason, &end).await;
            self.state.borrow_mut().automatic = None;
            self.idle.notify_waiters();
            return false;
        }
        self.state.borrow_mut().automatic = None;
        self.idle.notify_waiters();
        if !will_retry {
            return self.has_waiting();
        }
        if !self.profile.has(Way::EditsContext) {
            let stops: &[&str] = if self.profile.has(Way::RecoversLength) {
                &["error", "length"]
            } else {
                &["error"]
            };
            self.drop_last_answer(stops);
        }
        true
    }

    fn preparation(&self) -> Option<Preparation> {
        let keep = self.script.settings.compaction.keep_recent_tokens;
        prepare(&self.state.borrow().entries, keep, self.profile.has(Way::EditsContext))
    }

    /// The user asks for a compaction; an error where it fails.
    pub(super) async fn compact(self: &Rc<Self>) -> Result<(), String> {
        let goes_deaf = !self.profile.has(Way::HearsAbortedRun);
        self.state.borrow_mut().deaf = goes_deaf;
        self.abort();
        self.wait_for_idle().await;
        let signal = Signal::default();
        self.state.borrow_mut().manual = Some(signal.clone());
        self.log(Origin::S, "compaction_start", "manual", None);
        let end = if let Some(preparation) = self.preparation() {
            self.compact_with(&preparation, "manual", false, &signal).await
        } else {
            let again = self.state.borrow().entries.last().is_some_and(Entry::is_compaction);
            let small = "Nothing to compact (session too small)";
            End::Failed(if again { "Already compacted" } else { small }.to_owned())
        };
        self.state.borrow_mut().manual = None;
        self.idle.notify_waiters();
        let result = match &end {
            End::Done => Ok(()),
            End::Aborted(error) | End::Failed(error) => Err(error.clone()),
        };
        let end = match end {
            End::Failed(error) => End::Failed(format!("Compaction failed: {error}")),
            other => other,
        };
        self.compaction_ended("manual", false, &end);
        if result.is_err() {
            self.tell_failed("manual", &end).await;
        }
        self.state.borrow_mut().deaf = false;
        result
    }

    /// Asks extensions, gets the summary, and writes the entry.
    async fn compact_with(
        self: &Rc<Self>,
        preparation: &Preparation,
        reason: &str,
        will_retry: bool,
        signal: &Signal,
    ) -> End {
        let event = json!({
            "type": "session_before_compact", "reason": reason, "willRetry": will_retry,
        });
        let answer = self.emit_before_compact(Live::new(event)).await.unwrap_or_default();
        if truthy(&answer["cancel"]) {
            return End::Aborted(CANCELLED.to_owned());
        }
        if signal.fired() && reason != "manual" && self.profile.has(Way::EditsContext) {
            return End::Aborted(CANCELLED.to_owned());
        }
        let given = answer.get("compaction").filter(|given| truthy(given));
        let summary = if let Some(given) = given {
            Ok(given["summary"].as_str().unwrap_or_default().to_owned())
        } else if let Some(error) = self.lost_signal(reason) {
            Err(error)
        } else {
            let summary = self.summarize(preparation, signal).await;
            summary.map(|summary| summary + &preparation.files.told())
        };
        let by_signal = signal.fired() && self.profile.has(Way::EditsContext);
        let summary = match summary {
            Err(error) if by_signal => return End::Aborted(error),
            Err(error) => return End::Failed(error),
            Ok(_) if signal.fired() => return End::Aborted(CANCELLED.to_owned()),
            Ok(summary) => summary,
        };
        if let Some(error) = self.lost_signal(reason) {
            return End::Failed(error);
        }
        let files = if given.is_some() { Files::default() } else { preparation.files.clone() };
        self.write_compaction(summary, preparation.first_kept, files);
        let event = json!({"type": "session_compact", "reason": reason, "willRetry": will_retry});
        self.emit("session_compact", Live::new(event)).await;
        End::Done
    }

    /// How a compaction nobody asked for fails once another one has ended beside it: they share one field.
    fn lost_signal(&self, reason: &str) -> Option<String> {
        let shares = reason != "manual" && !self.profile.has(Way::HoldsCompactionSignal);
        let is_lost = shares && self.state.borrow().automatic.is_none();
        is_lost.then(|| "Cannot read properties of undefined (reading 'signal')".to_owned())
    }

    fn write_compaction(&self, summary: String, first_kept: usize, files: Files) {
        let system = messages(&self.projection()).into_iter().rfind(|it| role(it) == "system");
        let compaction = Compaction::new(summary, first_kept, system, files, self.now());
        self.keep(Kind::Compaction(compaction));
        self.refresh();
    }

    async fn summarize(
        self: &Rc<Self>,
        it: &Preparation,
        signal: &Signal,
    ) -> Result<String, String> {
        if !it.is_split || it.prefix.is_empty() {
            return self.one_summary("Summarization", signal).await;
        }
        let history = if it.history.is_empty() {
            let kept = it.previous.clone().filter(|_| self.profile.has(Way::WantsWholeSummaries));
            kept.unwrap_or("No prior history.".to_owned())
        } else {
            self.one_summary("Summarization", signal).await?
        };
        let prefix = self.one_summary("Turn prefix summarization", signal).await?;
        Ok(format!("{history}\n\n---\n\n**Turn Context (split turn):**\n\n{prefix}"))
    }

    async fn one_summary(self: &Rc<Self>, label: &str, signal: &Signal) -> Result<String, String> {
        let answer = self.summary_with_retries(signal).await?;
        let whole = self.profile.has(Way::WantsWholeSummaries);
        let error = answer["errorMessage"].as_str().filter(|error| !error.is_empty());
        match answer["stopReason"].as_str() {
            Some("error") => {
                return Err(format!("{label} failed: {}", error.unwrap_or("Unknown error")));
            }
            Some("length") if whole => {
                let why = "generation hit the token cap and the summary is incomplete";
                return Err(format!("{label} failed: {why}"));
            }
            _ => {}
        }
        let blocks = answer["content"].as_array().cloned().unwrap_or_default();
        if whole && blocks.iter().any(|block| block["type"] == "toolCall") {
            return Err(format!("{label} attempted to call a tool"));
        }
        let texts = blocks.iter().filter(|block| block["type"] == "text");
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        Ok(texts.join("\n"))
    }

    async fn summary_with_retries(self: &Rc<Self>, signal: &Signal) -> Result<Value, String> {
        let settings = &self.script.settings.retry;
        let enabled = self.profile.has(Way::RetriesSummaries) && self.state.borrow().retries;
        let most = if enabled { settings.max } else { 0 };
        let mut attempt = 0;
        loop {
            let mut answer = self.summary(signal).await?;
            let again = answer["stopReason"] == "error"
                && attempt < most
                && classify::retryable(self.profile.release(), &answer);
            if !again {
                return Ok(answer);
            }
            attempt += 1;
            let delay = settings.base_delay_ms.saturating_mul(1 << (attempt - 1).min(20));
            if !signal.before(self.sleep(delay)).await {
                answer["stopReason"] = json!("aborted");
                return Ok(answer);
            }
        }
    }

    fn compaction_ended(self: &Rc<Self>, reason: &str, will_retry: bool, end: &End) {
        let (aborted, result, error) = match end {
            End::Done => (false, "yes", String::new()),
            End::Aborted(_) => (true, "no", String::new()),
            End::Failed(error) => (false, "no", format!(" error={error}")),
        };
        let what =
            format!("{reason} aborted={aborted} willRetry={will_retry} result={result}{error}");
        self.log(Origin::S, "compaction_end", &what, None);
    }

    async fn tell_failed(self: &Rc<Self>, reason: &str, end: &End) {
        if !self.profile.has(Way::TellsFailedCompaction) {
            return;
        }
        let mut event = json!({
            "type": "session_compact_failed", "reason": reason, "willRetry": false,
            "aborted": matches!(end, End::Aborted(_)),
        });
        if let End::Failed(error) = end {
            event["errorMessage"] = json!(error);
        }
        self.emit("session_compact_failed", Live::new(event)).await;
    }
}
