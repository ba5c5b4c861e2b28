//! Tool calls: prepared one after another, executed side by side, answered in order.

use std::{cell::RefCell, rc::Rc};

use serde_json::{Value, json};

use super::{
    Sim,
    hooks::truthy,
    live::{Live, plain},
    message::{Msg, calls_of, shared},
    profile::Way,
    signal::Signal,
    tick::{Boxed, join, ticks},
};

/// What came of a batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) results: Vec<Msg>,
    pub(super) terminates: bool,
}

/// One call of a message, or one that a tool made.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    /// The message that holds the call, and where in it.
    message: Msg,
    at: String,
    /// The call on whose behalf it is made.
    pub(super) parent: Option<String>,
}

/// A call with its result.
#[derive(Clone, Debug)]
struct Finished {
    call: Call,
    result: Msg,
    is_error: bool,
}

/// What preparation makes of a call.
enum Prepared {
    Done(Msg),
    /// Arguments to execute with.
    Ready(Msg),
}

fn failure(message: &str) -> Msg {
    shared(json!({"content": [{"type": "text", "text": message}], "details": {}}))
}

/// The turn of a nested call that wants to be alone.
struct Turn {
    /// Fires when the one before is done.
    before: Signal,
    own: Signal,
}

const ABORTED: &str = "Operation aborted";

impl Call {
    fn of(message: &Msg, index: usize) -> Self {
        let held = message.borrow();
        let block = &held["content"][index];
        let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        let at = format!("/content/{index}");
        Self { id: text("id"), name: text("name"), message: message.clone(), at, parent: None }
    }

    /// A call a tool makes.
    pub(super) fn nested(id: String, name: &str, arguments: &Value, parent: &str) -> Self {
        let message = shared(json!({"arguments": arguments}));
        let parent = Some(parent.to_owned());
        Self { id, name: name.to_owned(), message, at: String::new(), parent }
    }

    fn member(&self, key: &str) -> Option<Value> {
        self.message.borrow().pointer(&format!("{}/{key}", self.at)).cloned()
    }

    fn event(&self, kind: &str) -> Value {
        let mut event =
            json!({"type": kind, "toolCallId": self.id.clone(), "toolName": self.name.clone()});
        if let Some(parent) = &self.parent {
            event["parentToolCallId"] = json!(parent);
        }
        event
    }

    /// Promises between a handler and whoever waits; a nested call does without the loop's.
    fn layers(&self) -> u32 {
        if self.parent.is_some() { 2 } else { 4 }
    }

    fn linked(&self, live: Live, key: &str) -> Live {
        live.link(key, &self.message, &format!("{}/arguments", self.at))
    }
}

impl Sim {
    /// Carries out the calls of a message.
    pub(super) async fn batch(self: &Rc<Self>, message: &Msg, signal: &Signal) -> Batch {
        let indices = calls_of(message);
        let calls: Vec<Call> = indices.into_iter().map(|at| Call::of(message, at)).collect();
        if message.borrow()["stopReason"] == "length" {
            return self.refuse_truncated(calls).await;
        }
        if calls.iter().any(|call| self.tool(&call.name).is_some_and(|tool| tool.sequential)) {
            return self.one_by_one(calls, signal).await;
        }
        self.side_by_side(calls, signal).await
    }

    async fn refuse_truncated(self: &Rc<Self>, calls: Vec<Call>) -> Batch {
        let mut batch = Batch::default();
        for call in calls {
            self.started(&call).await;
            let name = &call.name;
            let text = format!(
                "Tool call \"{name}\" was not executed: the response hit the output token limit, so its arguments may be truncated. Re-issue the tool call with complete arguments."
            );
            let finished = Finished { result: failure(&text), call, is_error: true };
            self.ended(&finished).await;
            batch.results.push(self.answer(&finished).await);
        }
        batch
    }

    async fn one_by_one(self: &Rc<Self>, calls: Vec<Call>, signal: &Signal) -> Batch {
        let mut finished = Vec::new();
        let mut results = Vec::new();
        for call in calls {
            self.started(&call).await;
            let done = match self.prepare(&call, signal).await {
                Prepared::Done(result) => Finished { call, result, is_error: true },
                Prepared::Ready(args) => self.execute(call, args, signal).await,
            };
            self.ended(&done).await;
            results.push(self.answer(&done).await);
            finished.push(done);
            if signal.fired() && !self.profile.has(Way::AnswersEveryCall) {
                break;
            }
        }
        Batch { terminates: terminates(&finished), results }
    }

    async fn side_by_side(self: &Rc<Self>, calls: Vec<Call>, signal: &Signal) -> Batch {
        let mut running: Vec<Boxed<'_, Finished>> = Vec::new();
        for call in calls {
            self.started(&call).await;
            match self.prepare(&call, signal).await {
                Prepared::Done(result) => {
                    let done = Finished { call, result, is_error: true };
                    self.ended(&done).await;
                    running.push(Box::pin(async move { done }));
                }
                Prepared::Ready(args) => {
                    running.push(Box::pin(self.run_prepared(call, args, signal)));
                }
            }
            if signal.fired() && !self.profile.has(Way::AnswersEveryCall) {
                break;
            }
        }
        let finished = join(running).await;
        let mut results = Vec::new();
        for done in &finished {
            results.push(self.answer(done).await);
        }
        Batch { terminates: terminates(&finished), results }
    }

    async fn run_prepared(self: &Rc<Self>, call: Call, args: Msg, signal: &Signal) -> Finished {
        if signal.fired() && self.profile.has(Way::DropsPreparedOnAbort) {
            let done = Finished { call, result: failure(ABORTED), is_error: true };
            self.ended(&done).await;
            return done;
        }
        let done = self.execute(call, args, signal).await;
        self.ended(&done).await;
        done
    }

    /// A call that a tool makes: the same way, without a message of its own.
    pub(super) async fn run_nested(self: &Rc<Self>, call: Call, signal: &Signal) -> (Msg, bool) {
        self.started(&call).await;
        let turn = self.turn_of(&call);
        if let Some(turn) = &turn {
            // Who waited goes on at once; who need not wait still yields, as for a kept promise.
            ticks(u32::from(turn.before.fired())).await;
            turn.before.wait().await;
        }
        let prepared = self.prepare(&call, signal).await;
        ticks(1).await;
        let done = match prepared {
            Prepared::Done(result) => Finished { call, result, is_error: true },
            Prepared::Ready(args) => self.execute(call, args, signal).await,
        };
        ticks(1).await;
        if let Some(turn) = turn {
            turn.own.fire();
        }
        self.ended(&done).await;
        (done.result, done.is_error)
    }

    /// The place in the queue of nested calls that want to be alone; whoever runs within such a
    /// call needs none.
    fn turn_of(&self, call: &Call) -> Option<Turn> {
        let wants = self.tool(&call.name).is_some_and(|tool| tool.sequential);
        let mut state = self.state.borrow_mut();
        let within = call.parent.as_ref().is_some_and(|parent| state.alone.contains(parent));
        if wants || within {
            state.alone.insert(call.id.clone());
        }
        if within || !wants {
            return None;
        }
        let own = Signal::default();
        let before = std::mem::replace(&mut state.alone_after, own.clone());
        Some(Turn { before, own })
    }

    async fn started(self: &Rc<Self>, call: &Call) {
        let live = call.linked(Live::new(call.event("tool_execution_start")), "args");
        self.emit_through("tool_execution_start", live, call.layers()).await;
    }

    async fn ended(self: &Rc<Self>, done: &Finished) {
        let mut event = done.call.event("tool_execution_end");
        event["isError"] = json!(done.is_error);
        let live = Live::new(event).link("result", &done.result, "");
        self.emit_through("tool_execution_end", live, done.call.layers()).await;
    }

    /// The message that answers a call.
    async fn answer(self: &Rc<Self>, done: &Finished) -> Msg {
        let mut message = json!({
            "role": "toolResult", "toolCallId": done.call.id, "toolName": done.call.name,
            "content": [], "isError": done.is_error, "timestamp": self.now(),
        });
        let result = done.result.borrow().clone();
        if let Some(content) = result.get("content").filter(|content| !content.is_null()) {
            message["content"] = content.clone();
        }
        if let Some(details) = result.get("details") {
            message["details"] = details.clone();
        }
        let message = shared(message);
        self.message_start(&message).await;
        self.message_end(&message).await;
        message
    }

    async fn prepare(self: &Rc<Self>, call: &Call, signal: &Signal) -> Prepared {
        if signal.fired() && self.profile.has(Way::AnswersEveryCall) {
            return Prepared::Done(failure(ABORTED));
        }
        if self.tool(&call.name).is_none() {
            let name = &call.name;
            return Prepared::Done(failure(&format!("Tool {name} not found")));
        }
        let args = match self.validated(call) {
            Ok(args) => shared(args),
            Err(problem) => return Prepared::Done(failure(&problem)),
        };
        let blocked = match self.emit_tool_call(call, &args).await {
            Ok(result) => result,
            Err(problem) => return Prepared::Done(failure(&problem)),
        };
        if signal.fired() {
            return Prepared::Done(failure(ABORTED));
        }
        match blocked.filter(|result| truthy(&result["block"])) {
            Some(block) => {
                let reason = Some(&block["reason"]).filter(|reason| truthy(reason)).map(plain);
                let result = failure(reason.as_deref().unwrap_or("Tool execution was blocked"));
                if block["terminate"] == true && self.profile.has(Way::BlockMayTerminate) {
                    result.borrow_mut()["terminate"] = json!(true);
                }
                Prepared::Done(result)
            }
            None => Prepared::Ready(args),
        }
    }

    /// The arguments after the tool's own hook and the host's validation.
    fn validated(self: &Rc<Self>, call: &Call) -> Result<Value, String> {
        let live = call.linked(Live::new(json!({})), "args");
        let prepared = self.prepare_arguments(&call.name, live)?;
        let name = &call.name;
        if self.profile.has(Way::ArgumentsError)
            && let Some(error) = call.member("argumentsError")
            && truthy(&error)
        {
            let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(format!("Invalid arguments for tool \"{name}\": {error}"));
        }
        self.validate(name, &prepared)
    }

    async fn emit_tool_call(
        self: &Rc<Self>,
        call: &Call,
        args: &Msg,
    ) -> Result<Option<Value>, String> {
        let mut live = Live::new(call.event("tool_call")).link("input", args, "");
        let mut result = None;
        for listener in self.listeners("tool_call") {
            if let Some(value) = self.tell("tool_call", listener, &mut live).await?.filter(truthy) {
                let blocks = truthy(&value["block"]);
                result = Some(value);
                if blocks {
                    break;
                }
            }
        }
        ticks(2).await;
        Ok(result)
    }

    async fn execute(self: &Rc<Self>, call: Call, args: Msg, signal: &Signal) -> Finished {
        let outcome = self.run_tool(&call, &args, signal).await;
        ticks(4).await;
        let (result, is_error) = match outcome {
            Ok(value) => {
                let says = self.profile.has(Way::ResultSaysError) && value["isError"] == true;
                (shared(value), says)
            }
            Err(problem) => (failure(&problem), true),
        };
        self.finalize(Finished { call, result, is_error }, &args).await
    }

    /// Handlers may change the result, in place or by returning parts of it.
    async fn finalize(self: &Rc<Self>, done: Finished, args: &Msg) -> Finished {
        let mut event = done.call.event("tool_result");
        event["isError"] = json!(done.is_error);
        let mut live = Live::new(event)
            .link("input", args, "")
            .link("content", &done.result, "/content")
            .link("details", &done.result, "/details");
        let mut modified = false;
        for listener in self.listeners("tool_result") {
            match self.tell("tool_result", listener, &mut live).await {
                Err(error) => self.report("tool_result", &error),
                Ok(Some(value)) => {
                    modified |= live.take(&value, &["content", "details", "isError"]);
                }
                Ok(None) => {}
            }
        }
        ticks(if self.profile.has(Way::NestedCalls) { 4 } else { 3 }).await;
        if !modified {
            return done;
        }
        let mut result = done.result.borrow().clone();
        for key in ["content", "details"] {
            if let Some(value) = live.value.get(key).filter(|value| !value.is_null()) {
                result[key] = value.clone();
            }
        }
        let is_error = live.value.get("isError").filter(|it| !it.is_null());
        let is_error = is_error.map_or(done.is_error, truthy);
        Finished { call: done.call, result: Rc::new(RefCell::new(result)), is_error }
    }
}

fn terminates(finished: &[Finished]) -> bool {
    let all = finished.iter().all(|done| done.result.borrow()["terminate"] == true);
    !finished.is_empty() && all
}
