//! The tools of a session: names resolved, arguments repaired, one call at a time.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::depth::is_deeper_than;
use crate::names::{self, Names};
use crate::reader::{self, ReadOptions};
use crate::refusal::{clip, refuse_value};
use crate::schema::Schema;
use crate::{Change, ConfigError, Context, Outcome, Pointer, Reason, Tool};

/// The tools that are active in a session.
#[derive(Debug)]
pub struct Registry {
    tools: BTreeMap<String, Tool>,
    names: Vec<String>,
    aliases: BTreeMap<String, String>,
    /// Holds no call; refusals of unknown tools are built against it.
    nothing: Schema,
}

/// What became of a whole call.
#[derive(Debug)]
pub struct CallOutcome<'a> {
    /// The registered tool; `None` if the name was refused.
    pub tool: Option<&'a str>,
    /// What was done to the name; empty if it was exact.
    pub name_changes: Vec<Change>,
    /// What became of the arguments.
    pub outcome: Outcome<'a>,
}

impl Registry {
    /// Takes the tools of a session.
    ///
    /// # Errors
    ///
    /// [`ConfigError::DuplicateTool`] if two share a name.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, ConfigError> {
        let mut by_name = BTreeMap::new();
        for tool in tools {
            let name = tool.name().to_owned();
            if by_name.insert(name.clone(), tool).is_some() {
                return Err(ConfigError::DuplicateTool { name });
            }
        }
        let names = by_name.keys().cloned().collect();
        let nothing = Schema::compile(Value::Object(Map::new()))?;
        Ok(Self { tools: by_name, names, aliases: BTreeMap::new(), nothing })
    }

    /// Lets `alias` stand for the registered tool `name`, by the owner's decision.
    #[must_use]
    pub fn with_alias(mut self, alias: &str, name: &str) -> Self {
        self.aliases.insert(alias.to_owned(), name.to_owned());
        self
    }

    /// The tool of this exact name.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }

    /// The registered names, sorted.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Finds the registered tool that `name` means.
    ///
    /// # Errors
    ///
    /// [`names::NameError`] says what the model should do, and lists the available names.
    pub fn resolve_name(&self, name: &str) -> Result<names::Resolved, names::NameError> {
        let names = Names { known: &self.names, aliases: &self.aliases, read: read_object };
        names::resolve(name, &names)
    }

    /// Resolves the name, then repairs the arguments.
    ///
    /// Arguments that were written into the name count only where none stand beside it.
    pub fn repair_call<'a>(
        &'a self,
        name: &str,
        args: &'a Value,
        context: &Context<'_>,
    ) -> CallOutcome<'a> {
        let resolved = match self.resolve_name(name) {
            Ok(resolved) => resolved,
            Err(error) => return self.refuse_name(name, args, &error.to_string()),
        };
        let Some((known, tool)) = self.tools.get_key_value(&resolved.tool) else {
            return self.refuse_name(name, args, "the tool is not registered");
        };
        let refuse = |reason| {
            Outcome::Unrepairable(refuse_value(known, tool.schema(), (args, args), reason))
        };
        let deep = is_deeper_than(args, context.limits.depth_max as usize);
        let empty = args.as_object().is_some_and(Map::is_empty) || args.is_null();
        let outcome = match resolved.arguments {
            _ if deep => tool.repair(args, context),
            Some(lifted) if empty => lifted_outcome(tool, lifted, context),
            Some(lifted) if lifted != *args => refuse(Reason::AmbiguousEnvelope(Pointer::root())),
            None if resolved.announced && empty => refuse(Reason::CutOff(None)),
            _ => tool.repair(args, context),
        };
        let name_changes = resolved.rules.iter().map(|rule| rule.change_for(known));
        CallOutcome { tool: Some(known), name_changes: name_changes.collect(), outcome }
    }

    fn refuse_name(&self, name: &str, args: &Value, says: &str) -> CallOutcome<'_> {
        let shown = clip(name, 80);
        let mut refusal = refuse_value(shown, &self.nothing, (args, args), Reason::UnknownTool);
        says.clone_into(&mut refusal.expected);
        CallOutcome {
            tool: None,
            name_changes: Vec::new(),
            outcome: Outcome::Unrepairable(refusal),
        }
    }
}

/// The outcome for arguments that came out of the name; they are never the caller's reference.
fn lifted_outcome<'a>(tool: &Tool, lifted: Value, context: &Context<'_>) -> Outcome<'a> {
    let (changes, observations) = (Vec::new(), Vec::new());
    match tool.repair(&lifted, context) {
        Outcome::Unrepairable(refusal) => return Outcome::Unrepairable(refusal),
        Outcome::Repaired { args, changes, observations } => {
            return Outcome::Repaired { args, changes, observations };
        }
        Outcome::Valid(_) | Outcome::Deferred(_) => {}
    }
    Outcome::Repaired { args: lifted, changes, observations }
}

/// Reads an object out of a name: strict JSON only, every number exact.
fn read_object(text: &str) -> Option<Value> {
    let reading = reader::read(text, &ReadOptions::default()).ok()?;
    (reading.liberties.is_empty() && reading.inexact.is_none()).then_some(reading.value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Limits, ToolSpec};

    #[test]
    fn arguments_in_a_name_count_where_none_stand_beside_it() {
        let spec = ToolSpec {
            name: "read".to_owned(),
            schema: json!({"required": ["path"], "properties": {"path": {"type": "string"}}}),
            ..ToolSpec::default()
        };
        let registry = Registry::new([Tool::compile(spec).unwrap()]).unwrap();
        let lifted = r#"read({"path":"a"})"#;
        let announced = "read<|tool_call_argument_begin|>";
        for (name, args, expected) in [
            (lifted, json!({}), r#"{"path":"a"}"#),
            (lifted, json!(null), r#"{"path":"a"}"#),
            (lifted, json!({"path": "a"}), "valid"),
            (lifted, json!({"path": "b"}), "ambiguous-envelope"),
            (lifted, json!({"path": [[1]]}), "too-deep"),
            (announced, json!({}), "cut-off"),
            (announced, json!(null), "cut-off"),
            (announced, json!({"path": "b"}), "valid"),
            ("read", json!({}), "misfit"),
        ] {
            let limits = Limits { depth_max: 2, ..Limits::default() };
            let context = Context { limits, ..Context::default() };
            let outcome = match registry.repair_call(name, &args, &context).outcome {
                Outcome::Repaired { args, .. } => args.to_string(),
                Outcome::Unrepairable(refusal) => refusal.reason.id().to_owned(),
                _ => "valid".to_owned(),
            };
            assert_eq!(outcome, expected, "{name} {args}");
        }
    }

    #[test]
    fn only_strict_and_exact_objects_are_read_out_of_a_name() {
        assert_eq!(read_object(r#"{"a":1}"#), Some(json!({"a": 1})));
        assert_eq!((read_object("{'a':1}"), read_object(r#"{"a":1e400}"#)), (None, None));
    }
}
