//! The engine, plugged into the played loop where the pi extension plugs into pi.
//!
//! Arguments are repaired in `prepareArguments`; names, arguments that the provider could not read
//! and calls printed as text at `message_end`; notes reach their results at `tool_result`; what the
//! model should know of failures is added to the context.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use corpus::{Release, Script};
use engine::advisor::tables::AdvisorTables;
use engine::advisor::{Advisor, AdvisorContext, Model};
use engine::grammar::tables::GrammarTables;
use engine::grammar::{Grammar, GrammarConfig, Message, Mode, treat};
use engine::lifecycle::{self, Event, Expectations, Feedback, Lifecycle};
use engine::tables::Tables;
use engine::{ConfigError, Context, Outcome, Registry, StopReason, Tool, ToolSpec, builtin};
use serde_json::{Value, json};

use super::{Extension, tools};
use crate::transcript::{heard, in_context};

/// What pi puts before argument text that it could not read.
const RECEIVED: &str = "\n\nReceived arguments:\n";

/// What the engine is made of; the default is the engine, anything else is a planted bug.
#[derive(Clone, Debug)]
pub struct Parts {
    /// What tools run on.
    pub tools: Tables,
    /// What notes run on.
    pub lifecycle: lifecycle::tables::Tables,
    /// What advice runs on.
    pub advisor: AdvisorTables,
    /// What finds calls in text.
    pub grammar: Arc<Grammar>,
}

impl Default for Parts {
    fn default() -> Self {
        static GRAMMAR: LazyLock<Arc<Grammar>> = LazyLock::new(|| {
            let tables = GrammarTables::default();
            Arc::new(grammar(tables).expect("a configuration without names is right"))
        });
        Self {
            tools: Tables::default(),
            lifecycle: lifecycle::tables::Tables::default(),
            advisor: AdvisorTables::default(),
            grammar: Arc::clone(&GRAMMAR),
        }
    }
}

/// What finds and promotes calls in text, on these tables.
///
/// # Errors
///
/// None, as nothing is named.
pub fn grammar(tables: GrammarTables) -> Result<Grammar, ConfigError> {
    let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
    Grammar::with_tables(config, tables)
}

/// The engine as an extension.
#[derive(Debug)]
pub struct Reference {
    registry: Registry,
    grammar: Arc<Grammar>,
    /// The provider to go by; else the one that messages name.
    provider: Option<String>,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    lifecycle: Lifecycle,
    advisor: Advisor,
    /// Moment of the latest message.
    now: u64,
    model: Model,
    stop: StopReason,
    /// The call that started last.
    starting: String,
    /// What the model is told of calls that were refused before the host looked at them.
    refused: BTreeMap<String, String>,
    /// Calls made of text so far.
    promoted: usize,
}

impl Reference {
    /// The engine for the tools of a script on a release.
    ///
    /// # Errors
    ///
    /// A tool of the script has a schema that cannot be compiled.
    pub fn new(script: &Script, release: Release) -> Result<Self, ConfigError> {
        Self::of(Parts::default(), script, release)
    }

    /// The same, made of other parts.
    ///
    /// # Errors
    ///
    /// As [`Reference::new`].
    pub fn of(parts: Parts, script: &Script, release: Release) -> Result<Self, ConfigError> {
        let Parts { tools: tables, lifecycle, advisor, grammar } = parts;
        let host = Some(tools::host(release));
        let compile = |name: String| {
            let tool = tools::find(script, &name)?;
            let compile = |config| {
                let tools::Tool { schema, origin, .. } = tool.clone();
                let spec = ToolSpec { name: name.clone(), schema, config, host, origin };
                Tool::compile_with(spec, tables.clone())
            };
            Some(builtin::config_for(&name, &tool.schema).and_then(compile))
        };
        let compiled = tools::active(script).into_iter().filter_map(compile);
        let registry = Registry::new(compiled.collect::<Result<Vec<_>, _>>()?)?;
        let lifecycle = Lifecycle::planted(lifecycle);
        let advisor = Advisor::with_tables(advisor);
        let state = RefCell::new(State { lifecycle, advisor, ..State::default() });
        Ok(Self { registry, grammar, provider: None, state })
    }

    /// Goes by this provider, whatever messages name.
    #[must_use]
    pub fn with_provider(mut self, provider: Option<&str>) -> Self {
        self.provider = provider.map(str::to_owned);
        self
    }

    fn context<'a>(&'a self, state: &'a State) -> Context<'a> {
        Context {
            model: Some(&state.model.id),
            provider: Some(self.provider.as_deref().unwrap_or(&state.model.provider)),
            stop_reason: state.stop,
            ..Context::default()
        }
    }

    fn message_end(&self, state: &mut State, message: &mut Value) {
        state.stop = StopReason::from_name(text(message, "stopReason"));
        let (provider, id) = (text(message, "provider"), text(message, "model"));
        state.model = Model { provider: provider.to_owned(), id: id.to_owned() };
        let blocks = message["content"].as_array_mut();
        for block in blocks.into_iter().flatten().filter(|block| is(block, "toolCall")) {
            let read = received(block).and_then(|raw| self.read_again(state, block, &raw));
            let named = self.find_tool(state, block);
            for feedback in read.into_iter().chain(named) {
                let id = text(block, "id");
                state.lifecycle.on(Event::Announced { id, feedback }, state.now);
            }
        }
        self.recover(state, message);
    }

    /// Argument text that the provider could not read.
    fn read_again(&self, state: &mut State, block: &mut Value, raw: &str) -> Option<Feedback> {
        let id = text(block, "id").to_owned();
        let resolved = self.registry.resolve_name(text(block, "name")).ok()?;
        let tool = self.registry.tool(&resolved.tool).filter(|_| resolved.arguments.is_none())?;
        let (args, changes) = match tool.repair_text(raw, None, &self.context(state)) {
            Outcome::Valid(read) | Outcome::Deferred(read) => {
                (serde_json::from_str(read).ok()?, Vec::new())
            }
            Outcome::Repaired { args, changes, .. } => (args, changes),
            Outcome::Unrepairable(refusal) => {
                state.refused.insert(id, refusal.message());
                return None;
            }
        };
        block["arguments"] = args;
        block.as_object_mut()?.shift_remove("argumentsError");
        Feedback::from_changes(&changes, Expectations::default())
    }

    /// A call whose name is no tool's.
    fn find_tool(&self, state: &mut State, block: &mut Value) -> Option<Feedback> {
        let name = text(block, "name").to_owned();
        if self.registry.tool(&name).is_some() || block.get("argumentsError").is_some() {
            return None;
        }
        let id = text(block, "id").to_owned();
        if let Err(error) = self.registry.resolve_name(&name) {
            state.refused.insert(id, format!("The call was not run. {error}"));
            return None;
        }
        let given = block["arguments"].clone();
        let call = self.registry.repair_call(&name, &given, &self.context(state));
        let args = match &call.outcome {
            Outcome::Unrepairable(refusal) => {
                state.refused.insert(id, refusal.message());
                return None;
            }
            Outcome::Repaired { args, .. } => args,
            Outcome::Valid(args) | Outcome::Deferred(args) => *args,
        };
        block["arguments"] = args.clone();
        block["name"] = json!(call.tool?);
        Feedback::from_call(&call, Expectations::default())
    }

    /// Calls that the model printed as text.
    fn recover(&self, state: &mut State, message: &mut Value) {
        let Some(blocks) = message["content"].as_array_mut() else { return };
        let texts: Vec<String> = blocks
            .iter()
            .filter(|block| is(block, "text"))
            .map(|block| text(block, "text").to_owned())
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let native_calls = blocks.iter().filter(|block| is(block, "toolCall")).count();
        let leaked = Message { assistant: true, texts: &texts, native_calls, active: None };
        let treated = treat(&leaked, &self.grammar, &self.registry, &self.context(state));
        let mut changed = treated.texts.iter();
        blocks.retain_mut(|block| {
            let Some(Some(text)) = is(block, "text").then(|| changed.next()).flatten() else {
                return true;
            };
            block["text"] = json!(text);
            !text.is_empty()
        });
        let before = state.promoted;
        let calls = treated.with_ids(|place| format!("leak-{}", before + place + 1));
        state.promoted += calls.len();
        let promotes = !calls.is_empty();
        for (id, call) in calls {
            blocks.push(
                json!({"type": "toolCall", "id": id, "name": call.tool, "arguments": call.args}),
            );
            let told = Feedback::from_changes(&call.changes, Expectations::default());
            for feedback in [Some(Feedback::promoted(&call.tool, call.family)), told] {
                let Some(feedback) = feedback else { continue };
                state.lifecycle.on(Event::Announced { id: &id, feedback }, state.now);
            }
        }
        if promotes {
            message["stopReason"] = json!("toolUse");
        }
    }

    /// The messages of a request, if the model is to be told something.
    fn advise(state: &mut State, event: &Value) -> Option<Value> {
        let messages = event["messages"].as_array()?;
        let seen: Vec<_> = messages.iter().map(|it| in_context(it, state.now)).collect();
        let context = AdvisorContext { now_ms: state.now, model: Some(state.model.clone()) };
        let notes = state.advisor.notes(&seen, &context);
        let added = notes.iter().map(|note| {
            json!({
                "role": "custom", "customType": "pi-repair-advice", "display": false,
                "content": [{"type": "text", "text": note.text}], "timestamp": state.now,
            })
        });
        let all: Vec<Value> = messages.iter().cloned().chain(added).collect();
        (!notes.is_empty()).then(|| json!({"messages": all}))
    }
}

impl Extension for Reference {
    fn at(&self, name: &str, event: &mut Value) -> Result<Option<Value>, String> {
        let state = &mut *self.state.borrow_mut();
        if let Some(now) = event["message"]["timestamp"].as_u64() {
            state.now = now;
        }
        let role = text(&event["message"], "role").to_owned();
        let speaks = name != "message_end" || matches!(role.as_str(), "assistant" | "user");
        if let Some(told) = heard(name, event, state.now).filter(|_| speaks) {
            // What an advisor warns the user of is shown, and changes nothing in the loop.
            let _ = state.advisor.on(&told, state.now);
        }
        if name == "message_end" && role == "assistant" {
            self.message_end(state, &mut event["message"]);
        }
        if name == "message_end" && role == "toolResult" {
            tell_refusal(state, &mut event["message"]);
        }
        if name == "model_select" {
            text(&event["model"], "id").clone_into(&mut state.model.id);
        }
        if name == "context" {
            return Ok(Self::advise(state, event));
        }
        let note = follow(state, name, event).map(|note| json!({"type": "text", "text": note}));
        let content = event.get_mut("content").and_then(Value::as_array_mut);
        if let (Some(note), Some(blocks)) = (note, content) {
            blocks.insert(0, note);
        }
        Ok(None)
    }

    fn prepares(&self, tool: &str) -> bool {
        self.registry.tool(tool).is_some()
    }

    fn prepare(&self, tool: &str, args: &mut Value) -> Result<Option<Value>, String> {
        let state = &mut *self.state.borrow_mut();
        let Some(known) = self.registry.tool(tool) else { return Ok(None) };
        if state.refused.contains_key(&state.starting) {
            return Ok(None);
        }
        let (repaired, feedback) = match known.repair(args, &self.context(state)) {
            Outcome::Valid(_) | Outcome::Deferred(_) => (None, None),
            Outcome::Repaired { args, changes, .. } => {
                (Some(args), Feedback::from_changes(&changes, Expectations::default()))
            }
            Outcome::Unrepairable(refusal) => return Err(refusal.message()),
        };
        let handed = repaired.as_ref().unwrap_or(args);
        state.lifecycle.on(Event::Prepared { tool, args: handed, feedback }, state.now);
        Ok(repaired)
    }
}

/// Puts what the model is to be told of a refused call in place of the host's own words.
fn tell_refusal(state: &mut State, message: &mut Value) {
    let Some(says) = state.refused.remove(text(message, "toolCallId")) else { return };
    if message["isError"] == true {
        message["content"] = json!([{"type": "text", "text": says}]);
    }
}

/// Follows a call from its start to its result; the note that belongs to the result.
fn follow(state: &mut State, name: &str, event: &Value) -> Option<String> {
    let (id, tool) = (text(event, "toolCallId"), text(event, "toolName"));
    let nested = event.get("parentToolCallId").is_some();
    let told = match name {
        "tool_execution_start" => {
            id.clone_into(&mut state.starting);
            Event::Started { id, tool }
        }
        "tool_call" => Event::Called { id, tool, args: &event["input"], nested },
        "tool_result" => Event::Finished { id, nested },
        "tool_execution_end" => Event::Ended { id },
        "agent_end" => Event::RunEnded,
        _ => return None,
    };
    state.lifecycle.on(told, state.now).map(|note| note.text)
}

/// The text that pi could not read as arguments; `None` where it cannot be told from pi's words.
fn received(block: &Value) -> Option<String> {
    let (_, raw) = block["argumentsError"].as_str()?.split_once(RECEIVED)?;
    (!raw.contains(RECEIVED)).then(|| raw.to_owned())
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn is(block: &Value, kind: &str) -> bool {
    block["type"] == kind
}
