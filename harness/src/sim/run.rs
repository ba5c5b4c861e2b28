//! One run of the agent: turns until neither a call nor a waiting message is left.

use std::rc::Rc;

use serde_json::{Value, json};

use super::{
    Sim,
    entries::{Kind, messages},
    live::Live,
    message::{Msg, calls_of, role, sent, shared},
    profile::Way,
    session::Why,
    signal::Signal,
};

/// What a run works on.
struct Run {
    context: Vec<Msg>,
    signal: Signal,
    /// Whether a turn of this run is complete.
    turned: bool,
    /// The assistant messages of this run, the last one behind.
    answers: Vec<Msg>,
}

impl Sim {
    /// Starts with new messages.
    pub(super) async fn run_prompts(self: &Rc<Self>, prompts: Vec<Msg>, polls: bool) {
        let run = self.open_run();
        self.run(run, prompts, polls).await;
    }

    /// Goes on from where the context stands; an error where it cannot.
    pub(super) async fn run_on(self: &Rc<Self>) -> Result<(), String> {
        let last = self.state.borrow().messages.last().cloned();
        let Some(last) = last else { return Err("No messages to continue from".to_owned()) };
        if role(&last) != "assistant" {
            let run = self.open_run();
            self.run(run, Vec::new(), true).await;
            return Ok(());
        }
        if let Some(message) = self.next_steering() {
            self.run_prompts(vec![message], false).await;
            return Ok(());
        }
        if let Some(message) = self.next_follow_up() {
            self.run_prompts(vec![message], true).await;
            return Ok(());
        }
        Err("Cannot continue from message role: assistant".to_owned())
    }

    fn open_run(&self) -> Run {
        let signal = Signal::default();
        let mut state = self.state.borrow_mut();
        state.run = Some(signal.clone());
        Run { context: state.messages.clone(), signal, turned: false, answers: Vec::new() }
    }

    async fn run(self: &Rc<Self>, mut run: Run, prompts: Vec<Msg>, polls: bool) {
        self.agent_start().await;
        self.emit_loop("turn_start", json!({"type": "turn_start"})).await;
        for message in prompts {
            self.message_start(&message).await;
            self.message_end(&message).await;
            run.context.push(message);
        }
        let mut waiting: Vec<Msg> =
            if polls { self.next_steering().into_iter().collect() } else { Vec::new() };
        let mut goes_on = true;
        loop {
            while goes_on || !waiting.is_empty() {
                self.open_turn(&mut run, &mut waiting).await;
                let message = self.answer_of(&mut run).await;
                let failed = matches!(stop_of(&message).as_str(), "error" | "aborted");
                goes_on = false;
                if !failed && !calls_of(&message).is_empty() {
                    let batch = self.batch(&message, &run.signal).await;
                    goes_on = !batch.terminates;
                    run.context.extend(batch.results);
                }
                self.turn_end(&message).await;
                run.turned = true;
                if failed {
                    self.agent_end(&run.answers).await;
                    self.state.borrow_mut().run = None;
                    return;
                }
                waiting = self.next_steering().into_iter().collect();
            }
            let Some(message) = self.next_follow_up() else { break };
            waiting = vec![message];
        }
        self.agent_end(&run.answers).await;
        self.state.borrow_mut().run = None;
    }

    /// What comes between two turns, and messages that waited for it.
    async fn open_turn(self: &Rc<Self>, run: &mut Run, waiting: &mut Vec<Msg>) {
        if run.turned {
            if self.profile.has(Way::CompactsBetweenTurns) {
                self.compact_between(&mut run.context).await;
                if waiting.is_empty() {
                    waiting.extend(self.next_steering());
                }
            }
            self.emit_loop("turn_start", json!({"type": "turn_start"})).await;
        }
        for message in waiting.drain(..) {
            self.message_start(&message).await;
            self.message_end(&message).await;
            run.context.push(message);
        }
        if self.profile.has(Way::EditsContext) {
            run.context = messages(&self.projection());
        }
    }

    /// Asks the model once.
    async fn answer_of(self: &Rc<Self>, run: &mut Run) -> Msg {
        let shown = self.emit_context(&run.context).await;
        let messages: Vec<Value> = shown.iter().filter_map(sent).collect();
        let message = match self.refused(&run.signal) {
            Some(message) => {
                self.started_answer(&message).await;
                message
            }
            None => self.stream(&messages, &run.signal).await,
        };
        run.context.push(message.clone());
        run.answers.push(message.clone());
        self.message_end(&message).await;
        message
    }

    /// Sends the messages, and follows the answer to its end.
    async fn stream(self: &Rc<Self>, messages: &[Value], signal: &Signal) -> Msg {
        let answering = self.request(messages).await;
        let message = self.begin(&answering).await;
        self.started_answer(&message).await;
        self.emit_updates(&message).await;
        self.finish(&answering, &message, signal).await;
        message
    }

    async fn started_answer(self: &Rc<Self>, message: &Msg) {
        let held = json!({"message": {"role": "assistant"}});
        let live = Live::new(held).link("message", message, "");
        if self.hears() {
            self.emit("message_start", live).await;
        }
    }

    pub(super) async fn agent_start(self: &Rc<Self>) {
        if self.profile.has(Way::ActiveWhilePreparing) && self.state.borrow().abort_requested {
            self.abort_run();
        }
        self.emit_loop("agent_start", json!({"type": "agent_start"})).await;
    }

    /// An event of the loop, for a session that listens.
    pub(super) async fn emit_loop(self: &Rc<Self>, name: &str, event: Value) {
        if self.hears() {
            self.emit(name, Live::new(event)).await;
        }
    }

    pub(super) async fn message_start(self: &Rc<Self>, message: &Msg) {
        if !self.hears() {
            return;
        }
        if role(message) == "user" {
            self.state.borrow_mut().overflow_tried = false;
        }
        let live = Live::new(json!({"type": "message_start"})).link("message", message, "");
        self.emit("message_start", live).await;
    }

    /// A message is complete: extensions may change it, then it is kept.
    pub(super) async fn message_end(self: &Rc<Self>, message: &Msg) {
        self.state.borrow_mut().messages.push(message.clone());
        if !self.hears() {
            return;
        }
        self.emit_message_end(message).await;
        let is = role(message);
        if is == "custom" {
            self.keep(Kind::Custom(message.clone()));
        } else {
            self.keep(Kind::Message(message.clone()));
        }
        if is == "assistant" {
            self.note_answer(message);
        }
    }

    async fn turn_end(self: &Rc<Self>, message: &Msg) {
        let why = match stop_of(message).as_str() {
            "aborted" => Why::Aborted,
            "error" => Why::Failed,
            _ => Why::Completed,
        };
        self.state.borrow_mut().outcome = why;
        if self.hears() {
            let live = Live::new(json!({"type": "turn_end"})).link("message", message, "");
            self.emit("turn_end", live).await;
        }
    }

    /// Messages of a user who did not want to wait, one a turn.
    fn next_steering(&self) -> Option<Msg> {
        self.state.borrow_mut().steering.pop_front()
    }

    fn next_follow_up(&self) -> Option<Msg> {
        self.state.borrow_mut().follow_ups.pop_front()
    }
}

pub(super) fn stop_of(message: &Msg) -> String {
    message.borrow()["stopReason"].as_str().unwrap_or_default().to_owned()
}

/// A message of the prompt, where releases have one.
pub(super) fn system(now: u64) -> Msg {
    shared(json!({"role": "system", "content": "", "timestamp": now}))
}
