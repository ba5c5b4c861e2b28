//! What a hook does with its event.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the extension does at one event.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Handler {
    /// The event.
    pub on: String,
    /// How often it acts; always if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// Pointers into the event, and the values they must lead to.
    #[serde(default, rename = "if")]
    pub condition: Map<String, Value>,
    /// What it does.
    pub steps: Vec<Step>,
}

/// One step of a hook; see the format's page for the events steps see.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "lowercase", deny_unknown_fields)]
pub enum Step {
    /// Changes the event in place.
    Set {
        /// Where; a last segment of `-` appends to a list.
        at: String,
        /// To what; may copy from the event.
        value: Value,
    },
    /// Deletes a member or an item.
    Remove {
        /// Which.
        at: String,
    },
    /// Adds to a text.
    Append {
        /// Where.
        at: String,
        /// What.
        value: String,
    },
    /// Sets what the hook returns.
    Return {
        /// The value; may copy from the event.
        value: Value,
    },
    /// Ends the hook with an error.
    Throw {
        /// Its text.
        message: String,
    },
    /// Waits.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
    /// Writes the event into the trace.
    Record {
        /// Under which name.
        #[serde(rename = "as")]
        name: String,
    },
    /// Runs another tool from within a tool.
    Nested {
        /// Which.
        tool: String,
        /// With what.
        arguments: Value,
    },
    /// Does what the user could do.
    Act {
        /// Name of an action without fields.
        what: String,
    },
}
