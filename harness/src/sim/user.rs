//! What the user of a script does, and what an event makes them do.

use std::rc::Rc;

use corpus::{Action, Origin, Prompting, Trigger};
use serde_json::json;
use tokio::task;

use super::{Sim, entries::Kind, live::Live, log::Armed, message};

/// Characters of a prompt that a trace shows.
const SHOWN: usize = 40;
/// An action follows its event after this long.
const REACTION_MS: u64 = 1;
/// The last timers of a run have this long.
const CALM_MS: u64 = 5;

impl Sim {
    /// Carries out all actions, each to its end.
    pub(super) async fn act_all(self: &Rc<Self>) {
        let script = self.script.clone();
        for action in &script.actions {
            self.act(action).await;
        }
        self.calm_down().await;
    }

    async fn calm_down(&self) {
        // Whoever waited for the run to end goes first.
        task::yield_now().await;
        self.wait_for_idle().await;
        self.sleep(CALM_MS).await;
    }

    async fn act(self: &Rc<Self>, action: &Action) {
        match action {
            Action::Prompt(prompt) => {
                self.log(Origin::U, "prompt", &shown(prompt), None);
                self.arm(&prompt.during);
                let ended = self.prompt(&prompt.message()).await;
                self.close("prompt", ended).await;
            }
            Action::Compact { during } => {
                self.log(Origin::U, "compact", "", None);
                self.arm(during);
                let ended = self.compact().await;
                self.close("compact", ended).await;
            }
            Action::Model { id } => self.select(id).await,
            Action::Ask(question) => self.ask(question),
            other => self.act_now(other),
        }
    }

    async fn close(self: &Rc<Self>, action: &str, ended: Result<(), String>) {
        if let Err(error) = ended {
            self.log.borrow_mut().failure(action, &error);
        }
        self.calm_down().await;
        self.log.borrow_mut().armed.clear();
    }

    fn arm(&self, during: &[Trigger]) {
        let arm =
            |(index, row): (usize, &Trigger)| Armed { at: row.at.clone(), left: row.nth, index };
        self.log.borrow_mut().armed = during.iter().enumerate().map(arm).collect();
        self.state.borrow_mut().during = during.to_vec();
    }

    /// Starts the action an event was waited for with.
    pub(super) fn set_off(self: &Rc<Self>, index: usize) {
        let row = self.state.borrow().during.get(index).cloned();
        let Some(Trigger { action, .. }) = row else { return };
        let sim = self.clone();
        let reaction = self.sleep(REACTION_MS);
        task::spawn_local(async move {
            reaction.await;
            Box::pin(sim.act(&action)).await;
        });
    }

    /// An extension does what the user could.
    pub(super) fn act_by_name(self: &Rc<Self>, what: &str) {
        match what {
            "abort" => self.act_now(&Action::Abort),
            "abort_retry" => self.act_now(&Action::AbortRetry),
            "abort_compaction" => self.act_now(&Action::AbortCompaction),
            _ => {}
        }
    }

    /// Actions that are done at once.
    fn act_now(self: &Rc<Self>, action: &Action) {
        match action {
            Action::Abort => {
                self.log(Origin::U, "abort", "", None);
                self.abort();
            }
            Action::AbortRetry => {
                self.log(Origin::U, "abort_retry", "", None);
                self.abort_retry();
            }
            Action::AbortCompaction => {
                self.log(Origin::U, "abort_compaction", "", None);
                self.abort_compaction();
            }
            Action::Steer { text } => {
                self.log(Origin::U, "steer", text, None);
                let message = message::user(text, self.now());
                self.state.borrow_mut().steering.push_back(message);
            }
            Action::FollowUp { text } => {
                self.log(Origin::U, "follow_up", text, None);
                let message = message::user(text, self.now());
                self.state.borrow_mut().follow_ups.push_back(message);
            }
            Action::Retry { enabled } => {
                self.log(Origin::U, "retry", &enabled.to_string(), None);
                self.state.borrow_mut().retries = *enabled;
            }
            Action::Compaction { enabled } => {
                self.log(Origin::U, "compaction", &enabled.to_string(), None);
                self.state.borrow_mut().compacts = *enabled;
            }
            Action::Prompt(_) | Action::Compact { .. } | Action::Model { .. } | Action::Ask(_) => {}
        }
    }

    async fn select(self: &Rc<Self>, id: &str) {
        self.log(Origin::U, "model", id, None);
        let Some(index) = self.script.models.iter().position(|model| model.id == id) else {
            self.state.borrow_mut().unplayable = Some(format!("there is no model {id}"));
            return;
        };
        let before = self.state.borrow().model;
        self.state.borrow_mut().model = index;
        self.keep(Kind::Mark("model_change"));
        if before != index {
            let event = json!({"type": "model_select", "model": {"id": id}});
            self.emit("model_select", Live::new(event)).await;
        }
    }
}

fn shown(prompt: &Prompting) -> String {
    let text = &prompt.text;
    if text.encode_utf16().count() <= SHOWN {
        return text.clone();
    }
    let cut: String = text.chars().take(SHOWN).collect();
    cut + "…"
}
