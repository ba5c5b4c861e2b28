//! A tool's configuration as data, and what can be wrong with it.

use std::fmt;

use serde_json::{Map, Value};

use crate::host::{HostProfile, SchemaOrigin};
use crate::preprocess::{self, Preprocessor};
use crate::selector::Selector;
use crate::{Gate, Pointer};

/// Everything that is compiled into a [`crate::Tool`].
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// The name the host registers.
    pub name: String,
    /// The JSON Schema of the arguments.
    pub schema: Value,
    /// Preprocessors and root field.
    pub config: ToolConfig,
    /// The host that converts arguments after us; `None` where there is none, and then spelling
    /// fixes are ordinary changes.
    pub host: Option<HostProfile>,
    /// How the schema came to be; matters to the host's older generations only.
    pub origin: SchemaOrigin,
}

impl Default for ToolSpec {
    /// A tool without a name, a schema, a configuration or a host.
    fn default() -> Self {
        Self {
            name: String::new(),
            schema: Value::Object(Map::new()),
            config: ToolConfig::default(),
            host: None,
            origin: SchemaOrigin::Json,
        }
    }
}

/// A tool's preprocessors and its root field.
#[derive(Clone, Debug, Default)]
pub struct ToolConfig {
    /// Run in this order, until none fires.
    pub preprocessors: Vec<Preprocessor>,
    /// The string field that a bare root text is put into. Without one, a tool whose schema
    /// requires exactly one string takes that field.
    pub root_field: Option<String>,
    /// Kinds that this engine does not know; they are ignored and observed.
    pub unknown_kinds: Vec<String>,
}

impl ToolConfig {
    /// Reads a configuration from JSON.
    ///
    /// The form is `{"rootField": "path", "preprocessors": [{"kind": "alias", "selector": "/path",
    /// "aliases": ["file_path"], "accepts": "string"}, …]}`. The older `config.rootString.field` and
    /// the kind `structural` with `ruleId` `foldFlatEditFields` are read too. Unknown kinds and
    /// unknown members are ignored.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Shape`] where a member has the wrong type, [`ConfigError::Selector`] for a
    /// selector that is no JSON Pointer.
    ///
    /// # Examples
    ///
    /// ```
    /// use engine::ToolConfig;
    /// use serde_json::json;
    ///
    /// let config = ToolConfig::from_json(&json!({
    ///     "rootField": "path",
    ///     "preprocessors": [{"kind": "alias", "selector": "/path", "aliases": ["file"]}]
    /// }))?;
    /// assert_eq!(config.preprocessors.len(), 1);
    /// # Ok::<(), engine::ConfigError>(())
    /// ```
    pub fn from_json(json: &Value) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        let legacy = json.pointer("/config/rootString/field").or(json.pointer("/rootString/field"));
        config.root_field =
            json.get("rootField").or(legacy).and_then(Value::as_str).map(str::to_owned);
        let entries = match json.get("preprocessors") {
            None => return Ok(config),
            Some(Value::Array(entries)) => entries,
            Some(_) => return Err(ConfigError::shape("preprocessors", "a list")),
        };
        for entry in entries {
            let Some(entry) = entry.as_object() else {
                return Err(ConfigError::shape("preprocessors", "a list of objects"));
            };
            let name = text(entry, "kind")?.unwrap_or_default();
            let Some(kind) = preprocess::kind_named(name) else {
                config.unknown_kinds.push(name.to_owned());
                continue;
            };
            config.preprocessors.push(preprocessor(kind, entry)?);
        }
        Ok(config)
    }
}

/// Reads one entry of `preprocessors`.
fn preprocessor(
    kind: &'static preprocess::Kind,
    entry: &Map<String, Value>,
) -> Result<Preprocessor, ConfigError> {
    let legacy_fold = text(entry, "ruleId")? == Some("foldFlatEditFields");
    let selector = if legacy_fold { Some("/edits") } else { text(entry, "selector")? };
    let Some(selector) = selector else {
        return Err(ConfigError::shape("selector", "a JSON Pointer"));
    };
    let mut aliases = texts(entry, "aliases")?;
    aliases.sort_unstable();
    aliases.dedup();
    Ok(Preprocessor {
        kind,
        selector: Selector::parse(selector)?,
        gate: Gate {
            model_families: texts(entry, "modelFamilies")?,
            providers: texts(entry, "providers")?,
        },
        aliases,
        accepts: texts(entry, "accepts")?,
        empty_is_missing: entry.get("emptyEquivalentToMissing") == Some(&Value::Bool(true)),
        alone: entry.get("alone") == Some(&Value::Bool(true)),
        fields: if legacy_fold { preprocess::pi_edit_fields() } else { fields(entry)? },
    })
}

/// A member that is a text, if present.
fn text<'e>(
    entry: &'e Map<String, Value>,
    name: &'static str,
) -> Result<Option<&'e str>, ConfigError> {
    match entry.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ConfigError::shape(name, "a text")),
    }
}

/// A member that is a text or a list of texts, if present.
fn texts(entry: &Map<String, Value>, name: &'static str) -> Result<Vec<String>, ConfigError> {
    let wrong = || ConfigError::shape(name, "a text or a list of texts");
    match entry.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(vec![text.clone()]),
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
        }
        Some(_) => Err(wrong()),
    }
}

/// The member `fields` of a fold: each field of the item with its other names.
fn fields(entry: &Map<String, Value>) -> Result<Vec<(String, Vec<String>)>, ConfigError> {
    let Some(members) = entry.get("fields") else { return Ok(Vec::new()) };
    let Some(members) = members.as_object() else {
        return Err(ConfigError::shape("fields", "an object of lists"));
    };
    members
        .keys()
        .map(|field| {
            let names = match members.get(field) {
                Some(Value::Array(names)) => names.iter().filter_map(Value::as_str),
                _ => return Err(ConfigError::shape("fields", "an object of lists")),
            };
            Ok((field.clone(), names.map(str::to_owned).collect()))
        })
        .collect()
}

/// The caller asked for something the engine cannot honour.
///
/// Broken *input* never ends here; it is [`crate::Outcome::Unrepairable`]. No variant carries a
/// value of it.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ConfigError {
    /// A selector is not a JSON Pointer; `*` may stand for one segment.
    Selector {
        /// The selector as configured.
        selector: String,
        /// Where it stops being one, in bytes.
        at_byte: usize,
    },
    /// A limit lies above what the engine was tested for.
    Limit {
        /// The limit.
        name: &'static str,
        /// What was asked for.
        got: u64,
        /// The most that may be asked for.
        most: u64,
    },
    /// No limit has this name.
    UnknownLimit {
        /// The name as given.
        name: String,
    },
    /// The schema cannot be compiled.
    Schema {
        /// The place in the schema.
        at: Pointer,
        /// What the validator says of it.
        says: String,
    },
    /// A member of the configuration has the wrong type.
    Shape {
        /// The member.
        member: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// Two tools of one registry share a name.
    DuplicateTool {
        /// The name.
        name: String,
    },
}

impl ConfigError {
    fn shape(member: &'static str, expected: &'static str) -> Self {
        Self::Shape { member, expected }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Selector { selector, at_byte } => {
                write!(
                    out,
                    "selector `{selector}` is malformed at byte {at_byte}; write a JSON Pointer such as `/edits/*/oldText`"
                )
            }
            Self::Limit { name, got, most } => {
                write!(out, "limit `{name}` is {got}; the most is {most}")
            }
            Self::UnknownLimit { name } => write!(out, "`{name}` is not a limit"),
            Self::Schema { at, says } if at.is_root() => {
                write!(out, "the schema cannot be compiled: {says}")
            }
            Self::Schema { at, says } => {
                write!(out, "the schema cannot be compiled at `{at}`: {says}")
            }
            Self::Shape { member, expected } => write!(out, "`{member}` must be {expected}"),
            Self::DuplicateTool { name } => write!(out, "two tools are named `{name}`"),
        }
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_say_what_they_say() {
        let read = |entry: Value| {
            let json = json!({ "preprocessors": [entry] });
            ToolConfig::from_json(&json).expect("a configuration").preprocessors.remove(0)
        };
        let alias = json!({"kind": "alias", "selector": "/a", "alone": true});
        assert!(read(alias.clone()).alone && !read(alias).empty_is_missing);
        let empty = json!({"kind": "alias", "selector": "/a", "emptyEquivalentToMissing": true});
        assert!(read(empty.clone()).empty_is_missing && !read(empty).alone);
        // The name that an older configuration has for a fold of pi's own edits.
        let legacy = read(json!({"kind": "structural", "ruleId": "foldFlatEditFields"}));
        let fields: Vec<&str> = legacy.fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((legacy.selector.as_str(), fields), ("/edits", vec!["oldText", "newText"]));
    }

    #[test]
    fn errors_name_what_to_change() {
        let at = |at| ConfigError::Schema { at, says: "no".to_owned() };
        for (error, says) in [
            (at(Pointer::root()), "the schema cannot be compiled: no"),
            (at(Pointer::root().child("a")), "the schema cannot be compiled at `/a`: no"),
            (ConfigError::shape("aliases", "a text"), "`aliases` must be a text"),
        ] {
            assert_eq!(error.to_string(), says);
        }
    }
}
