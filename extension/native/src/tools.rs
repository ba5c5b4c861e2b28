//! The host's tools, compiled: one that cannot be is named and left out, the others work.

use std::collections::BTreeSet;

use engine::host::{HostProfile, SchemaOrigin};
use engine::{Registry, Tool, ToolConfig, ToolSpec, builtin};
use serde_json::{Map, Value, json};

use crate::input::{flag, list, text};

/// The tools of a session.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) registry: Registry,
    /// The tools whose provider was asked to send `null` for what is optional.
    pub(crate) nullable: BTreeSet<String>,
    /// The tools that the model may call.
    pub(crate) active: Vec<String>,
}

impl Tools {
    /// No tools at all.
    pub(crate) fn none() -> Result<Self, engine::ConfigError> {
        let registry = Registry::new([])?;
        Ok(Self { registry, nullable: BTreeSet::new(), active: Vec::new() })
    }

    /// Compiles the tools listed in `given`, and says which cannot be.
    pub(crate) fn compile(
        given: &Map<String, Value>,
        host: Option<HostProfile>,
    ) -> Result<(Self, Value), engine::ConfigError> {
        let mut made = Self::none()?;
        let (mut tools, mut left_out) = (Vec::new(), Vec::new());
        let mut names = BTreeSet::new();
        for entry in list(given, "tools").iter().filter_map(Value::as_object) {
            let name = text(entry, "name").unwrap_or_default();
            if name.is_empty() || !names.insert(name.to_owned()) {
                continue;
            }
            let made_one = strictly(entry)
                .and_then(|()| compile(name, entry, host).map_err(|error| error.to_string()));
            match made_one {
                Ok(tool) => tools.push(tool),
                Err(says) => left_out.push(json!({"name": name, "says": says})),
            }
            if flag(entry, "nullable") {
                made.nullable.insert(name.to_owned());
            }
        }
        let mut aliases = Vec::new();
        for (alias, name) in given.get("aliases").and_then(Value::as_object).into_iter().flatten() {
            aliases.extend(name.as_str().map(|name| (alias, name)));
        }
        made.registry = Registry::new(tools)?;
        for (alias, name) in aliases {
            made.registry = made.registry.with_alias(alias, name);
        }
        made.active = made.registry.names().to_vec();
        Ok((made, left_out.into()))
    }
}

/// Where an owner asked for it (`strict`), a kind of preprocessor that is none is an error, and not ignored.
fn strictly(entry: &Map<String, Value>) -> Result<(), String> {
    let Some(config) = entry.get("config").filter(|_| flag(entry, "strict")) else { return Ok(()) };
    let config = ToolConfig::from_json(config).map_err(|error| error.to_string())?;
    match config.unknown_kinds.first() {
        None => Ok(()),
        Some(kind) => Err(format!(
            "there is no preprocessor of the kind `{kind}`; the catalogue lists those there are"
        )),
    }
}

/// Compiles one tool; without a configuration of its own it has that of pi's tool of its name and shape.
fn compile(
    name: &str,
    entry: &Map<String, Value>,
    host: Option<HostProfile>,
) -> Result<Tool, engine::ConfigError> {
    let schema = entry.get("schema").cloned().unwrap_or_else(|| json!({"type": "object"}));
    let config = match entry.get("config").filter(|config| config.is_object()) {
        Some(config) => ToolConfig::from_json(config)?,
        None => builtin::config_for(name, &schema)?,
    };
    let typebox = text(entry, "origin") == Some("typebox");
    let origin = if typebox { SchemaOrigin::TypeBox } else { SchemaOrigin::Json };
    Tool::compile(ToolSpec { name: name.to_owned(), schema, config, host, origin })
}
