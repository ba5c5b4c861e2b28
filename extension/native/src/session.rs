//! One session of the host: its tools, its settings, and what is remembered from event to event.

use std::collections::BTreeMap;
use std::panic;
use std::sync::Once;

use engine::advisor::Advisor;
use engine::grammar::{Grammar, GrammarConfig};
use engine::host::HostProfile;
use engine::lifecycle::{Event, Expectations, Lifecycle};
use engine::settings::{Loaded, Resolved, Settings};
use engine::telemetry::{Facts, Recorder};
use engine::{Context, Outcome};
use napi::Result;
use napi_derive::napi;
use serde_json::{Value, json};

use crate::call::Open;
use crate::input::{clock, object, wrong};
use crate::tools::Tools;

/// The most bytes of records that wait to be taken; what comes later is not counted.
const RECORDS_MAX: usize = 1 << 20;

/// Calls of the present model that needed no repair, by tool: the valid and the deferred ones.
type Fine = BTreeMap<String, [u64; 2]>;

/// What an extension keeps for one session of its host.
#[napi]
#[derive(Debug)]
pub struct Session {
    pub(crate) tools: Tools,
    pub(crate) grammar: Grammar,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) advisor: Advisor,
    pub(crate) settings: Settings,
    pub(crate) resolved: Resolved,
    pub(crate) recorder: Recorder,
    pub(crate) model: String,
    pub(crate) provider: String,
    host: Option<HostProfile>,
    /// Set where the host never says which call it prepares next.
    pub(crate) by_arguments: bool,
    pub(crate) open: Option<Open>,
    /// The clock when a call last started or was prepared.
    pub(crate) now: u64,
    records: String,
    fine: Fine,
}

#[napi]
impl Session {
    /// A session of the host's release `version`; an unknown one converts nothing, as far as we know.
    #[napi(constructor)]
    pub fn new(version: Option<String>) -> Result<Self> {
        quiet_panics();
        let settings = Settings::default();
        let resolved = settings.resolve();
        Ok(Self {
            tools: Tools::none().map_err(|error| wrong(&error.to_string()))?,
            grammar: grammar_of(resolved)?,
            lifecycle: Lifecycle::default(),
            advisor: Advisor::new(),
            settings,
            resolved,
            recorder: Recorder::default(),
            model: String::new(),
            provider: String::new(),
            host: version.as_deref().and_then(HostProfile::from_version),
            by_arguments: false,
            open: None,
            now: 0,
            records: String::new(),
            fine: Fine::new(),
        })
    }

    /// Takes the host's tools, `{"tools": [{"name", "schema", "origin", "config", "nullable"}],
    /// "aliases": {}}`, and answers with a list of those that cannot be used.
    #[napi(catch_unwind)]
    pub fn set_tools(&mut self, given: String) -> Result<String> {
        let given = object(&given)?;
        let made = Tools::compile(&given, self.host).map_err(|error| wrong(&error.to_string()))?;
        self.tools = made.0;
        Ok(made.1.to_string())
    }

    /// Takes the names of the tools that the model may call now, as a JSON list.
    #[napi(catch_unwind)]
    pub fn set_active(&mut self, names: String) -> Result<()> {
        let mut names: Vec<String> =
            serde_json::from_str(&names).map_err(|error| wrong(&error.to_string()))?;
        // The model reads them in this order, whatever the host's.
        names.sort_unstable();
        self.tools.active = names;
        Ok(())
    }

    /// Takes the model that answers now.
    #[napi(catch_unwind)]
    pub fn set_model(&mut self, provider: String, model: String, now: f64) {
        if (&provider, &model) != (&self.provider, &self.model) {
            self.write_fine(now);
            (self.provider, self.model) = (provider, model);
        }
    }

    /// Takes the text of the settings file, `null` if there is none, and settings that stand above
    /// it, as a JSON object; answers with `{"settings", "diagnostics", "unreadable"}`.
    #[napi(catch_unwind)]
    pub fn configure(&mut self, file: Option<String>, above: Option<String>) -> Result<String> {
        let loaded = Loaded::read(file.as_deref());
        let mut settings = loaded.settings.clone();
        let mut says: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
        for (name, value) in above.as_deref().map(object).transpose()?.into_iter().flatten() {
            if let Err(error) = settings.set(&name, &value) {
                says.push(error.to_string());
            }
        }
        self.resolved = settings.resolve();
        self.grammar = grammar_of(self.resolved)?;
        self.settings = settings;
        let shown: Value = serde_json::from_str(&self.settings.to_text()).unwrap_or_default();
        let resolved = json!({
            "policy": self.resolved.policy.name(),
            "grammar": self.resolved.grammar.name(),
            "unknownText": self.resolved.unknown_text.name(),
        });
        let unreadable = loaded.is_unreadable();
        let answer = json!({"settings": shown, "resolved": resolved, "diagnostics": says, "unreadable": unreadable});
        Ok(answer.to_string())
    }

    /// Says that no start of a call will ever be told, so that calls are known by their arguments.
    #[napi(catch_unwind)]
    pub fn match_by_arguments(&mut self) {
        self.by_arguments = true;
    }

    /// `tool_execution_start`: the arguments of the call `id` are prepared next.
    #[napi(catch_unwind)]
    pub fn started(&mut self, id: String, tool: String, now: f64) {
        self.now = clock(now);
        self.lifecycle.on(Event::Started { id: &id, tool: &tool }, self.now);
    }

    /// `tool_call`: the call is about to run with `args`, which matter only where no start came.
    #[napi(catch_unwind)]
    pub fn called(&mut self, id: String, tool: String, args: Option<String>, nested: bool) {
        let args = args.and_then(|args| serde_json::from_str(&args).ok()).unwrap_or(Value::Null);
        let event = Event::Called { id: &id, tool: &tool, args: &args, nested };
        self.lifecycle.on(event, self.now);
    }

    /// `tool_result`: the note that belongs to it, as `{"text", "rules"}`, or nothing.
    #[napi(catch_unwind)]
    pub fn finished(&mut self, id: String, nested: bool, now: f64) -> Option<String> {
        let note = self.lifecycle.on(Event::Finished { id: &id, nested }, clock(now))?;
        Some(json!({"text": note.text, "rules": note.rules}).to_string())
    }

    /// `tool_execution_end`: nothing more comes of the call.
    #[napi(catch_unwind)]
    pub fn ended(&mut self, id: String, now: f64) {
        self.lifecycle.on(Event::Ended { id: &id }, clock(now));
    }

    /// `agent_end`: no call is running.
    #[napi(catch_unwind)]
    pub fn run_ended(&mut self, now: f64) {
        self.lifecycle.on(Event::RunEnded, clock(now));
    }

    /// `session_shutdown`: everything that waits is forgotten.
    #[napi(catch_unwind)]
    pub fn shutdown(&mut self, now: f64) {
        self.lifecycle.on(Event::Shutdown, clock(now));
    }

    /// The lines of telemetry since the last time, each ended; empty if there are none.
    #[napi(catch_unwind)]
    pub fn take_records(&mut self, now: f64) -> String {
        self.write_fine(now);
        std::mem::take(&mut self.records)
    }
}

impl Session {
    /// What every call of this session has in common.
    pub(crate) fn context(&self) -> Context<'_> {
        let known = |text: &str| !text.is_empty();
        Context {
            model: Some(self.model.as_str()).filter(|text| known(text)),
            provider: Some(self.provider.as_str()).filter(|text| known(text)),
            policy: self.resolved.policy,
            ..Context::default()
        }
    }

    /// What the host asked the model for, as far as `tool` is concerned.
    pub(crate) fn expectations(&self, tool: &str) -> Expectations {
        Expectations { nulls_for_optionals: self.tools.nullable.contains(tool) }
    }

    /// What every record says.
    pub(crate) fn facts<'f>(&self, model: &'f str, time: u64) -> Facts<'f> {
        let model = Some(model).filter(|model| !model.is_empty());
        Facts { time, model, profile: self.resolved.policy }
    }

    /// Keeps a line of telemetry until it is taken.
    pub(crate) fn keep(&mut self, line: &str) {
        if self.settings.telemetry && self.records.len() < RECORDS_MAX {
            self.records.push_str(line);
        }
    }

    /// Counts a call that was left alone, and allocates once a tool.
    pub(crate) fn count(&mut self, tool: &str, deferred: bool) {
        if !self.settings.telemetry {
            return;
        }
        let at = usize::from(deferred);
        let counts = match self.fine.get_mut(tool) {
            Some(counts) => counts,
            None => self.fine.entry(tool.to_owned()).or_default(),
        };
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
    }

    /// Makes one record of all equal calls that were left alone.
    fn write_fine(&mut self, now: f64) {
        for (tool, [valid, deferred]) in std::mem::take(&mut self.fine) {
            let Some(known) = self.tools.registry.tool(&tool) else { continue };
            let facts = self.facts(&self.model, clock(now));
            let nothing = Value::Null;
            let given: [(u64, Outcome<'_>); 2] =
                [(valid, Outcome::Valid(&nothing)), (deferred, Outcome::Deferred(&nothing))];
            for (count, outcome) in given.into_iter().filter(|(count, _)| *count > 0) {
                let record = self.recorder.outcome(known, &outcome, facts).times(count);
                self.records.push_str(&record.to_line());
            }
        }
    }

    /// The tools that a call in text may run.
    pub(crate) fn recoverable(&self) -> Vec<String> {
        let allowed = &self.settings.allowed_tools;
        let may = |name: &&String| allowed.is_empty() || allowed.contains(name);
        self.tools.active.iter().filter(may).cloned().collect()
    }
}

/// The grammar of the resolved settings.
fn grammar_of(resolved: Resolved) -> Result<Grammar> {
    let config = GrammarConfig {
        mode: Some(resolved.grammar),
        unknown_tools: resolved.unknown_text,
        ..GrammarConfig::default()
    };
    Grammar::new(config).map_err(|error| wrong(&error.to_string()))
}

/// A panic is reported as the caller's error; its own print would tear up a terminal's page.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(|_| {})));
}
