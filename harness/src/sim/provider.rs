//! The scripted provider: takes the next turn and answers with it.

use std::rc::Rc;

use corpus::{Api, Block, Origin, Turn, Usage};
use serde_json::{Value, json};

use super::{
    Sim, js,
    live::Live,
    message::{Msg, briefs, normal, shared},
    profile::Way,
    signal::Signal,
    wire,
};

/// Every answer waits this long, because pi compares moments in whole milliseconds.
pub(super) const PAUSE_MS: u64 = 4;

/// What the server that hands out a script's turns calls its model.
const SERVED_MODEL: &str = "m";
/// What a request says that is refused since its run was aborted.
const REFUSED: &str = "This operation was aborted";
const NO_TOKENS: Usage = Usage { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/// An answer on its way.
#[derive(Debug)]
pub(super) struct Answering {
    turn: Turn,
    model: String,
}

impl Sim {
    /// The answer to a request of a run that was aborted already, where releases do not send it.
    pub(super) fn refused(&self, signal: &Signal) -> Option<Msg> {
        if !signal.fired() || !self.profile.has(Way::RefusesAbortedRequests) {
            return None;
        }
        let stop = if self.profile.has(Way::RefusedIsAborted) { "aborted" } else { "error" };
        Some(shared(json!({
            "role": "assistant", "content": [], "api": "scripted-api", "provider": "scripted",
            "model": self.model().id, "usage": usage(&NO_TOKENS), "timestamp": self.now(),
            "stopReason": stop, "errorMessage": REFUSED,
        })))
    }

    /// Sends a request of the loop; what was sent is written down.
    pub(super) async fn request(self: &Rc<Self>, messages: &[Value]) -> Answering {
        let model = self.model().id.clone();
        let scripted = self.script.api == Api::Scripted;
        if scripted {
            let payload = json!({"model": model});
            let sent = self.emit_payload(payload.clone()).await;
            // The driver sends its own where pi hands over none.
            if sent != payload && !sent.is_null() {
                self.log(Origin::P, "payload", "", Some(sent));
            }
        }
        let next = self.state.borrow_mut().turns.pop_front();
        let system = if self.profile.has(Way::SystemMessages) { "messages" } else { "context" };
        let shown: Vec<Value> =
            messages.iter().filter(|it| it["role"] != "system").map(normal).collect();
        let saw = json!({"system": system, "tools": self.active_tools(), "messages": shown});
        self.log(Origin::P, "request", &briefs(messages.iter()), Some(saw));
        if !scripted {
            self.emit_payload(json!({"model": model})).await;
        }
        Answering { turn: next.unwrap_or_else(spent), model }
    }

    /// Asks for a summary; the finished answer, or what is thrown in its place.
    pub(super) async fn summary(self: &Rc<Self>, signal: &Signal) -> Result<Value, String> {
        if let Some(refused) = self.refused(signal) {
            let throws = self.profile.has(Way::ThrowsRefusedSummary);
            if throws && !self.profile.has(Way::RefusedIsAborted) {
                return Err(REFUSED.to_owned());
            }
            return Ok(refused.borrow().clone());
        }
        let next = self.state.borrow_mut().summaries.pop_front();
        let default = || Turn {
            content: vec![Block::Text { text: "SUMMARY".to_owned() }],
            ..Turn::default()
        };
        let turn = next.unwrap_or_else(default);
        self.log(Origin::P, "summary", "[user]", None);
        let answering = Answering { turn, model: self.model().id.clone() };
        let message = self.begin(&answering).await;
        self.finish(&answering, &message, signal).await;
        Ok(message.borrow().clone())
    }

    /// Waits for the answer to begin; its content is there at once.
    pub(super) async fn begin(self: &Rc<Self>, answering: &Answering) -> Msg {
        let turn = &answering.turn;
        self.sleep(PAUSE_MS + turn.delay_ms).await;
        let content = if turn.status.is_some() { Vec::new() } else { self.blocks(turn) };
        let model = self.answering_model(answering);
        shared(json!({
            "role": "assistant", "content": content, "api": "scripted-api",
            "provider": "scripted", "model": model, "usage": usage(&turn.usage),
            "stopReason": "stop", "timestamp": self.now(),
        }))
    }

    /// The model an answer counts as; the server of a script calls its own `m`.
    fn answering_model<'a>(&self, answering: &'a Answering) -> &'a str {
        let named = self.script.api == Api::AnthropicMessages && answering.turn.status.is_none();
        let believed =
            self.profile.has(Way::BelievesServedModel) && !self.profile.has(Way::KeepsAskedModel);
        if named && believed { SERVED_MODEL } else { &answering.model }
    }

    fn blocks(&self, turn: &Turn) -> Vec<Value> {
        let wired = self.script.api != Api::Scripted;
        let keeps_errors = self.profile.has(Way::ArgumentsError);
        let mut blocks: Vec<Value> = Vec::new();
        for block in &turn.content {
            let made = match block {
                Block::Text { text } => json!({"type": "text", "text": text}),
                Block::Thinking { thinking } => json!({"type": "thinking", "thinking": thinking}),
                Block::Call { name, arguments, id, raw, arguments_error } => {
                    let id = self.call_id(id.as_deref());
                    let mut call = json!({"type": "toolCall", "id": id, "name": name});
                    // The driver has no null to hand over.
                    let given = Some(arguments).filter(|given| !given.is_null());
                    let given = given.cloned().unwrap_or_else(|| json!({}));
                    if wired {
                        let text = raw.clone().unwrap_or_else(|| given.to_string());
                        let (read, error) = wire::arguments(&text, keeps_errors);
                        call["arguments"] = read;
                        if let Some(error) = error {
                            call["argumentsError"] = json!(error);
                        }
                    } else {
                        call["arguments"] = js::held(given);
                        if let Some(error) = arguments_error {
                            call["argumentsError"] = json!(error);
                        }
                    }
                    call
                }
            };
            blocks.push(made);
        }
        if wired { wire::gather(blocks, self.script.api) } else { blocks }
    }

    fn call_id(&self, given: Option<&str>) -> String {
        let mut state = self.state.borrow_mut();
        state.calls += 1;
        given.map_or_else(|| format!("call-{}", state.calls), str::to_owned)
    }

    /// Waits for the answer to end, and writes into `message` how it did.
    pub(super) async fn finish(&self, answering: &Answering, message: &Msg, signal: &Signal) {
        let turn = &answering.turn;
        if turn.hang {
            signal.wait().await;
        }
        let aborted = turn.hang || signal.fired();
        let stop = if aborted { "aborted" } else { turn.stop_reason() };
        let error = match stop {
            "aborted" => Some(turn.error.clone().unwrap_or("Request was aborted".to_owned())),
            _ => turn.error.clone(),
        };
        let mut message = message.borrow_mut();
        if self.script.api != Api::Scripted && !aborted {
            wire::finish(
                &mut message,
                turn,
                self.script.api,
                self.profile.has(Way::ReadsWholeBody),
            );
            return;
        }
        message["stopReason"] = json!(stop);
        if let Some(error) = error {
            message["errorMessage"] = json!(error);
        }
    }

    /// Extensions that listen hear of every piece of an answer.
    pub(super) async fn emit_updates(self: &Rc<Self>, message: &Msg) {
        if self.listeners("message_update").is_empty() {
            return;
        }
        let kinds: Vec<bool> = {
            let message = message.borrow();
            let blocks = message["content"].as_array().into_iter().flatten();
            blocks.map(|block| block["type"] == "toolCall").collect()
        };
        for is_call in kinds {
            for _ in 0..if is_call { 2 } else { 3 } {
                let live =
                    Live::new(json!({"type": "message_update"})).link("message", message, "");
                self.emit("message_update", live).await;
            }
        }
    }
}

fn spent() -> Turn {
    let error = Some("script: no turn is left for this request".to_owned());
    Turn { error, ..Turn::default() }
}

fn usage(given: &Usage) -> Value {
    let Usage { input, output, cache_read, cache_write } = *given;
    let total = input + output + cache_read + cache_write;
    json!({
        "input": input, "output": output, "cacheRead": cache_read, "cacheWrite": cache_write,
        "totalTokens": total,
    })
}
