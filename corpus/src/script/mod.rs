//! Scripts: what model, tools, extension and user do, for the real pi and for the scripted loop.
//!
//! The format is described in `corpus/data/scripts/README.md`.

mod action;
mod step;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use action::{Action, Prompting, Question, Trigger, UsageRow};
pub use step::{Handler, Step};

use crate::{error::CorpusError, lines::bare_message};

const FORMAT: &str = "corpus/data/scripts/README.md";
/// The version of the formats of scripts and traces.
pub const SCRIPT_FORMAT: u32 = 1;

/// One script; serialised, every default is written out.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Version of the format.
    pub format: u32,
    /// The stem of its file.
    #[serde(default)]
    pub name: String,
    /// What it shows, in one sentence.
    pub says: String,
    /// How turns reach pi.
    #[serde(default)]
    pub api: Api,
    /// Models the provider offers; the first is selected.
    #[serde(default = "one_model")]
    pub models: Vec<Model>,
    /// The user's settings.
    #[serde(default)]
    pub settings: Settings,
    /// Files of the working folder.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Tools the extension registers.
    #[serde(default)]
    pub tools: Vec<ScriptedTool>,
    /// The only tools enabled, where not pi's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<Vec<String>>,
    /// Whether the extension `codemode` is loaded where the release has it.
    #[serde(default)]
    pub codemode: bool,
    /// What the extension does at hooks, in order.
    #[serde(default)]
    pub handlers: Vec<Handler>,
    /// Events recorded beyond the usual ones.
    #[serde(default)]
    pub watch: Vec<String>,
    /// Answers to the requests of the loop, in order.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Answers to requests for a summary, in order; `SUMMARY` when they run out.
    #[serde(default)]
    pub summaries: Vec<Turn>,
    /// What the user does, in order.
    #[serde(default)]
    pub actions: Vec<Action>,
}

/// How a turn reaches pi.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// As a message, ready made.
    #[default]
    Scripted,
    /// As a stream of text, read by pi's code for this dialect.
    OpenaiCompletions,
    /// As a stream of text, read by pi's code for this dialect.
    AnthropicMessages,
}

/// A model of the scripted provider.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its id.
    pub id: String,
    /// Tokens of the context window.
    #[serde(default = "context_window")]
    pub context_window: u64,
    /// Most tokens of an answer.
    #[serde(default = "max_tokens")]
    pub max_tokens: u64,
}

fn one_model() -> Vec<Model> {
    let id = "scripted-1".to_owned();
    vec![Model { id, context_window: context_window(), max_tokens: max_tokens() }]
}

fn context_window() -> u64 {
    200_000
}

fn max_tokens() -> u64 {
    8_000
}

/// The settings a script can change.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Retries of a failed request.
    pub retry: RetrySettings,
    /// Compaction of the context.
    pub compaction: CompactionSettings,
}

/// Retries of a failed request by the session.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetrySettings {
    /// Whether there are any.
    pub enabled: bool,
    /// How many at most.
    pub max: u32,
    /// The first pause, in milliseconds; each further one doubles.
    pub base_delay_ms: u64,
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self { enabled: true, max: 2, base_delay_ms: 5 }
    }
}

/// Compaction of the context.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CompactionSettings {
    /// Whether it happens by itself.
    pub enabled: bool,
    /// Tokens of the window kept free.
    pub reserve_tokens: u64,
    /// Tokens of the past that are kept as they are.
    pub keep_recent_tokens: u64,
}

impl Default for CompactionSettings {
    fn default() -> Self {
        Self { enabled: false, reserve_tokens: 1_000, keep_recent_tokens: 1 }
    }
}

/// A tool the extension registers.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedTool {
    /// Its name; that of a built-in overrides it.
    pub name: String,
    /// Its schema; a delegate has that of the built-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
    /// Its `prepareArguments`, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepare: Option<Vec<Step>>,
    /// Whether that one returns a promise.
    #[serde(default)]
    pub prepare_async: bool,
    /// What it does; without a `return` it says what it ran with.
    #[serde(default)]
    pub execute: Vec<Step>,
    /// Whether the built-in of that name does the work.
    #[serde(default)]
    pub delegate: bool,
    /// Whether it must not run beside other calls.
    #[serde(default)]
    pub sequential: bool,
    /// How the model reaches it, where the release knows exposures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<String>,
}

/// One answer of the provider.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// What it says.
    pub content: Vec<Block>,
    /// Why it ends; see [`Turn::stop_reason`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<String>,
    /// Tokens it reports.
    pub usage: Usage,
    /// The text of its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Milliseconds before it starts.
    pub delay_ms: u64,
    /// Whether it waits for an abort after its content.
    pub hang: bool,
    /// Whether the connection breaks after its content.
    pub die: bool,
    /// An HTTP status that takes the place of the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Turn {
    /// Why it ends, worked out where the script does not say.
    pub fn stop_reason(&self) -> &str {
        let calls = || self.content.iter().any(|block| matches!(block, Block::Call { .. }));
        match &self.stop {
            Some(stop) => stop,
            None if self.error.is_some() => "error",
            None if calls() => "toolUse",
            None => "stop",
        }
    }
}

/// Tokens an answer reports.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Usage {
    /// Read by the model.
    pub input: u64,
    /// Written by it.
    pub output: u64,
    /// Read from a cache.
    pub cache_read: u64,
    /// Written to a cache.
    pub cache_write: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 10, output: 5, cache_read: 0, cache_write: 0 }
    }
}

/// A part of an answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Block {
    /// Words for the user.
    Text {
        /// The words.
        text: String,
    },
    /// Thoughts.
    Thinking {
        /// The words.
        thinking: String,
    },
    /// A call of a tool.
    Call {
        /// The tool's name, as the model spells it.
        name: String,
        /// Its arguments.
        #[serde(default = "no_arguments")]
        arguments: Value,
        /// Its id, where it matters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The arguments as text; loopback only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<String>,
        /// Why a provider of pi could not read the arguments.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments_error: Option<String>,
    },
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}

/// Reads one script; `name` is the stem of its file.
///
/// # Errors
///
/// Text that is not JSON, an unknown or missing field, another format, or no model.
pub fn parse_script(name: &str, text: &str) -> Result<Script, CorpusError> {
    let file = format!("{name}.json");
    let mut script: Script = serde_json::from_str(text).map_err(|error| {
        let remedy = format!("compare the file with {FORMAT}");
        CorpusError::new(&file, bare_message(&error), remedy).at(error.line())
    })?;
    if script.format != SCRIPT_FORMAT {
        let problem = format!("format {} is not known", script.format);
        return Err(CorpusError::new(&file, problem, format!("write {SCRIPT_FORMAT}")));
    }
    if script.models.is_empty() {
        let remedy = "name one, or leave `models` out";
        return Err(CorpusError::new(&file, "there is no model", remedy));
    }
    name.clone_into(&mut script.name);
    Ok(script)
}
