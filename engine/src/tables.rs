//! The one seam through which a harness alters the engine: every table and step a tool runs on.

use jsonschema::Validator;
use serde_json::Value;

use crate::host::{HostProfile, SchemaOrigin};
use crate::policy::{Grade, Policy};
use crate::reader::{ReadError, ReadOptions, Reading};
use crate::rules::{RULES, Rule};
use crate::{Context, Gate, spelling};

/// The tables and steps of one tool. The default is the engine; anything else is a planted bug.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The repair rules, in run order.
    pub rules: Vec<Rule>,
    /// Reads text.
    pub read: fn(&str, &ReadOptions) -> Result<Reading, ReadError>,
    /// Tells whether arguments pass the schema.
    pub accepts: fn(&Validator, &Value) -> bool,
    /// Models the host's conversion.
    pub convert: fn(HostProfile, SchemaOrigin, &Value, &Value) -> Option<Value>,
    /// Tells whether the host's result is the one meant.
    pub same: fn(&Value, &Value) -> bool,
    /// Tells whether a policy permits a grade.
    pub permits: fn(Policy, Grade) -> bool,
    /// Tells whether a gate admits a call.
    pub admits: fn(&Gate, &Context<'_>) -> bool,
    /// Tells whether containers may be closed after a complete value.
    pub may_close: fn(&Context<'_>) -> bool,
    /// Picks among the ways a union's branches accept a repair; `None` refuses.
    pub pick: fn(usize) -> Option<usize>,
    /// Has the last word on repaired arguments.
    pub finish: fn(Value) -> Value,
    /// Passes plainly valid arguments at first sight. Off, every call takes the ordinary path, with
    /// the same outcome; a planted bug in reading or checking needs it off to be seen on valid input.
    pub accept_early: bool,
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            rules: RULES.to_vec(),
            read: crate::reader::read,
            accepts: |validator, value| validator.is_valid(value),
            convert: crate::host::convert,
            same: spelling::same_value,
            permits: Policy::permits,
            admits: Gate::admits,
            may_close: |context| context.stop_reason.is_normal(),
            pick: |ways| (ways == 1).then_some(0),
            finish: |value| value,
            accept_early: true,
        }
    }
}
