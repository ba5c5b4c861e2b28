//! What the user of a script does.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One action of the user; actions follow one another, each to its end.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Sends a message.
    Prompt(Prompting),
    /// Compacts the context.
    Compact {
        /// Actions started meanwhile.
        #[serde(default)]
        during: Vec<Trigger>,
    },
    /// Stops whatever the agent does.
    Abort,
    /// Stops waiting for a retry.
    AbortRetry,
    /// Stops a compaction.
    AbortCompaction,
    /// Queues a message for between two turns.
    Steer {
        /// The message.
        text: String,
    },
    /// Queues a message for after the last turn.
    FollowUp {
        /// The message.
        text: String,
    },
    /// Selects a model.
    Model {
        /// Its id.
        id: String,
    },
    /// Turns retries on or off.
    Retry {
        /// Which.
        enabled: bool,
    },
    /// Turns compaction on or off.
    Compaction {
        /// Which.
        enabled: bool,
    },
    /// Asks something that needs no loop.
    Ask(Question),
}

/// A message the user sends.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Prompting {
    /// The message.
    pub text: String,
    /// How often the message is said in one, each time with a space behind it; once plain if 0.
    #[serde(default)]
    pub repeat: usize,
    /// Actions started meanwhile.
    #[serde(default)]
    pub during: Vec<Trigger>,
}

impl Prompting {
    /// The message as it is sent.
    pub fn message(&self) -> String {
        match self.repeat {
            0 => self.text.clone(),
            times => format!("{} ", self.text).repeat(times),
        }
    }
}

/// An action started 1 ms after an event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Trigger {
    /// How the event's label starts.
    pub at: String,
    /// The how-manieth such event of this action.
    #[serde(default = "first")]
    pub nth: u32,
    /// What is done.
    #[serde(flatten)]
    pub action: Action,
}

fn first() -> u32 {
    1
}

/// A question that needs no loop.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "about", rename_all = "lowercase", deny_unknown_fields)]
pub enum Question {
    /// The schemas of the built-in tools, without descriptions.
    Schemas,
    /// Whether built-ins have an own hook, and how they constrain sampling.
    Definitions,
    /// Names of the active and of all tools.
    Tools,
    /// What validation makes of arguments.
    Validate {
        /// The schema.
        parameters: Value,
        /// Whether it is built by `TypeBox` rather than written as JSON.
        #[serde(default)]
        typebox: bool,
        /// The arguments.
        values: Vec<Value>,
    },
    /// What a built-in tool makes of arguments before it runs.
    Builtin {
        /// Its name.
        tool: String,
        /// The arguments.
        values: Vec<Value>,
    },
    /// The class of a provider's error.
    Classify {
        /// Texts of errors.
        texts: Vec<String>,
        /// The provider.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        provider: Option<String>,
    },
    /// Whether the tokens reported tell of an overflow.
    Usage {
        /// What is reported.
        rows: Vec<UsageRow>,
    },
    /// The patterns for an overflow, as pi hands them out.
    Patterns,
    /// Where names are exported.
    Exports {
        /// The names.
        names: Vec<String>,
    },
}

/// What an answer reports, to be judged for overflow.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UsageRow {
    /// Why it ended.
    pub stop: String,
    /// Tokens read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Tokens read from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read: Option<u64>,
    /// Tokens written to a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<u64>,
    /// Tokens of the window.
    pub window: u64,
    /// The text of an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
