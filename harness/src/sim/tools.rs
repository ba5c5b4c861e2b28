//! The tools of a session: pi's own, and those the script registers over or beside them.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use corpus::{Origin, Script, ScriptedTool};
use engine::{
    builtin,
    host::{HostProfile, SchemaOrigin, convert, edit_hook},
};
use serde_json::{Map, Value, json};

use super::{
    Sim, calls::Call, js, live::Live, message::Msg, misfit, profile::Way, signal::Signal,
    tick::ticks,
};

/// What pi offers without being asked.
const DEFAULT: [&str; 4] = ["read", "bash", "edit", "write"];

/// A tool as the loop sees it.
#[derive(Clone, Debug)]
pub(super) struct Tool {
    pub(super) sequential: bool,
    pub(super) schema: Value,
    pub(super) origin: SchemaOrigin,
    /// Its place among the script's tools.
    scripted: Option<usize>,
}

/// The schema of one of pi's own tools.
pub(super) fn builtin_schema(name: &str) -> Option<Value> {
    static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
        let spec = |name: &&'static str| Some((*name, builtin::spec(name, None).ok()??.schema));
        builtin::TOOLS.iter().filter_map(spec).collect()
    });
    SCHEMAS.get(name).cloned()
}

/// The host's model for a release; releases between two generations count as the older one.
pub(super) fn host(release: corpus::Release) -> HostProfile {
    let text = release.to_string();
    HostProfile::from_version(&text).unwrap_or(HostProfile::Pi085)
}

/// Names of the tools the model may call in a script.
pub(super) fn active(script: &Script) -> Vec<String> {
    if let Some(active) = &script.active {
        let known = |name: &&String| find(script, name).is_some();
        return active.iter().filter(known).cloned().collect();
    }
    let registered = script.tools.iter().map(|tool| tool.name.as_str());
    let mut names: Vec<String> = DEFAULT.iter().map(|name| (*name).to_owned()).collect();
    for name in registered {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The tool of this name: the script's own, else one of pi's.
pub(super) fn find(script: &Script, name: &str) -> Option<Tool> {
    let scripted = script.tools.iter().rposition(|tool| tool.name == name);
    let Some(index) = scripted else {
        let schema = builtin_schema(name)?;
        let origin = SchemaOrigin::TypeBox;
        return Some(Tool { sequential: false, schema, origin, scripted: None });
    };
    let tool = &script.tools[index];
    let own = tool.parameters.clone();
    let origin = if own.is_some() { SchemaOrigin::Json } else { SchemaOrigin::TypeBox };
    let schema = own.or_else(|| builtin_schema(name)).unwrap_or_default();
    Some(Tool { sequential: tool.sequential, schema, origin, scripted: Some(index) })
}

impl Sim {
    /// Names of the tools the model may call.
    pub(super) fn active_tools(&self) -> Vec<String> {
        active(&self.script)
    }

    /// An active tool.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        self.active_tools().iter().any(|active| active == name).then(|| find(&self.script, name))?
    }

    fn scripted(&self, tool: &Tool) -> Option<&ScriptedTool> {
        tool.scripted.and_then(|index| self.script.tools.get(index))
    }

    /// What a tool's own hook makes of the arguments in `live`, and then an extension of that.
    ///
    /// What the hook throws stands, unless the extension mends the arguments: then it is asked again.
    pub(super) fn prepare_arguments(
        self: &Rc<Self>,
        name: &str,
        mut live: Live,
    ) -> Result<Value, String> {
        let hooked = self.hooked(name, &mut live);
        let Some(extension) = self.extension.as_ref().filter(|it| it.prepares(name)) else {
            return hooked;
        };
        let (mut args, thrown) = match hooked {
            Ok(args) => (args, None),
            Err(thrown) => (live.value["args"].take(), Some(thrown)),
        };
        match (extension.prepare(name, &mut args)?, thrown) {
            (Some(mended), Some(_)) => self.hooked(name, &mut Live::new(json!({"args": mended}))),
            (Some(mended), None) => Ok(mended),
            (None, Some(thrown)) => Err(thrown),
            (None, None) => Ok(args),
        }
    }

    /// What a tool's own hook makes of the arguments in `live`.
    fn hooked(self: &Rc<Self>, name: &str, live: &mut Live) -> Result<Value, String> {
        let Some(tool) = self.tool(name) else { return Ok(Value::Null) };
        let Some(scripted) = self.scripted(&tool) else {
            return self.own_hook_in_place(name, live);
        };
        if scripted.prepare.is_none() && !scripted.delegate {
            return Ok(live.value["args"].take());
        }
        self.log(Origin::T, "prepare", name, Some(json!({"args": live.value["args"].clone()})));
        let mut returned = None;
        for step in scripted.prepare.iter().flatten() {
            if live.edit(step)? {
                continue;
            }
            match step {
                corpus::Step::Throw { message } => return Err(message.clone()),
                corpus::Step::Return { value } => returned = Some(live.fill(value)?),
                _ => return Err("script: a step that waits cannot stand in a hook".to_owned()),
            }
        }
        if scripted.prepare_async {
            return Err("#<Promise> could not be cloned.".to_owned());
        }
        match (returned, scripted.delegate) {
            (Some(args), true) => Ok(self.own_hook(name, args)),
            (Some(args), false) => Ok(args),
            (None, true) => self.own_hook_in_place(name, live),
            (None, false) => Ok(live.value["args"].take()),
        }
    }

    /// The hook of one of pi's tools, on arguments that others hold too: what `edit` reads from
    /// text it writes into them, what it folds it puts into a copy.
    fn own_hook_in_place(&self, name: &str, live: &mut Live) -> Result<Value, String> {
        let result = self.own_hook(name, live.value["args"].clone());
        let mut plain = live.value["args"].clone();
        if let Some(plain) = plain.as_object_mut() {
            for flat in ["oldText", "newText"] {
                plain.shift_remove(flat);
            }
        }
        let read = self.own_hook(name, plain);
        if let Some(edits) =
            read.get("edits").filter(|edits| live.value["args"]["edits"] != **edits)
        {
            let value = edits.clone();
            live.edit(&corpus::Step::Set { at: "/args/edits".to_owned(), value })?;
        }
        Ok(result)
    }

    /// The hook that comes with one of pi's tools.
    pub(super) fn own_hook(&self, name: &str, args: Value) -> Value {
        match name {
            "edit" => edit_hook(host(self.profile.release()), &args),
            _ => args,
        }
    }

    /// The arguments pi executes, or why it does not.
    pub(super) fn validate(&self, name: &str, args: &Value) -> Result<Value, String> {
        let Some(tool) = self.tool(name) else { return Err(format!("Tool {name} not found")) };
        self.checked(name, &tool.schema, tool.origin, args)
    }

    pub(super) fn checked(
        &self,
        name: &str,
        schema: &Value,
        origin: SchemaOrigin,
        args: &Value,
    ) -> Result<Value, String> {
        let host = host(self.profile.release());
        convert(host, origin, schema, args).ok_or_else(|| {
            let issues = misfit::lines(host, origin, schema, args);
            let shown = js::stringify_pretty(args);
            format!(
                "Validation failed for tool \"{name}\":\n{issues}\n\nReceived arguments:\n{shown}"
            )
        })
    }

    /// Carries out a call; its result or what it threw.
    pub(super) async fn run_tool(
        self: &Rc<Self>,
        call: &Call,
        args: &Msg,
        signal: &Signal,
    ) -> Result<Value, String> {
        let tool = self.tool(&call.name);
        let Some(scripted) = tool.as_ref().and_then(|tool| self.scripted(tool)) else {
            return self.run_builtin(&call.name, &args.borrow());
        };
        self.log(Origin::T, "execute", &call.name, Some(json!({"args": args.borrow().clone()})));
        let mut live = Live::new(json!({"id": call.id})).link("args", args, "");
        self.state.borrow_mut().signals.insert(call.id.clone(), signal.clone());
        if let Some(value) = self.steps(&scripted.execute, &mut live, Some(&call.id)).await? {
            let content = &value["content"];
            if value.is_null() || !(content.is_null() || content.is_array()) {
                let why = format!("`{}` returns what is no result", call.name);
                self.state.borrow_mut().unplayable = Some(why);
            }
            return Ok(value);
        }
        if scripted.delegate {
            return self.run_builtin(&call.name, &args.borrow());
        }
        let text = format!("{} ran {}", call.name, js::stringify(&args.borrow()));
        Ok(json!({"content": [{"type": "text", "text": text}], "details": {}}))
    }

    /// A tool called by another: whether it failed, and its text.
    pub(super) async fn nest(
        self: &Rc<Self>,
        caller: Option<&str>,
        name: &str,
        arguments: &Value,
    ) -> Result<Value, String> {
        let caller = caller.filter(|_| self.profile.has(Way::NestedCalls));
        let Some(caller) = caller else {
            return Err("ctx.executeTool is not a function".to_owned());
        };
        let (number, signal) = {
            let mut state = self.state.borrow_mut();
            let signal = state.signals.get(caller).cloned().unwrap_or_default();
            let number = state.nested.entry(caller.to_owned()).or_insert(0);
            *number += 1;
            (*number, signal)
        };
        let call =
            Call::nested(format!("{caller}/{number}"), name, &js::held(arguments.clone()), caller);
        let (result, is_error) = Box::pin(self.run_nested(call, &signal)).await;
        ticks(2).await;
        let result = result.borrow();
        let blocks = result["content"].as_array().into_iter().flatten();
        let text: String = blocks.filter_map(|block| block["text"].as_str()).collect();
        Ok(json!({"isError": is_error, "text": text}))
    }

    /// The few built-ins whose work can be played: reading and writing whole files.
    fn run_builtin(&self, name: &str, args: &Value) -> Result<Value, String> {
        let path = args["path"].as_str().unwrap_or_default();
        let whole = args.get("offset").is_none() && args.get("limit").is_none();
        let mut state = self.state.borrow_mut();
        let done = |text: String| Ok(json!({"content": [{"type": "text", "text": text}]}));
        match (name, state.files.get(path).cloned()) {
            ("read", Some(text)) if whole => done(text),
            ("read", None) => {
                Err(format!("ENOENT: no such file or directory, access '{}'", absolute(path)))
            }
            ("write", _) => {
                let content = args["content"].as_str().unwrap_or_default().to_owned();
                let size = content.encode_utf16().count();
                state.files.insert(path.to_owned(), content);
                if self.profile.has(Way::WritesWithoutSize) {
                    return done(format!("Successfully wrote to {path}"));
                }
                done(format!("Successfully wrote {size} bytes to {path}"))
            }
            _ => {
                state.unplayable = Some(format!("the built-in tool `{name}` really works"));
                Err("not played".to_owned())
            }
        }
    }
}

fn absolute(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("<cwd>/{path}") }
}

/// The schemas of built-in tools, as a question about them is answered.
pub(super) fn builtin_schemas() -> Map<String, Value> {
    let named = builtin::TOOLS.iter();
    named.filter_map(|name| Some(((*name).to_owned(), builtin_schema(name)?))).collect()
}
