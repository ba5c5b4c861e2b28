//! The built-in configuration of pi's own tools, as data.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::host::{HostProfile, SchemaOrigin};
use crate::{ConfigError, ToolConfig, ToolSpec};

/// One member a tool: schema, root field, preprocessors.
///
/// SOURCE: `builtin_schemas` (the same on every release from 0.80.6 to 1.6.0; `powershell` from 0.85.1)
const DATA: &str = include_str!("data/builtin.json");

/// The names of pi's tools that have a built-in configuration.
pub const TOOLS: &[&str] = &["read", "bash", "powershell", "edit", "write", "grep", "find", "ls"];

/// The data, read; empty only if the file were no JSON, which a test excludes.
static TOOL_DATA: LazyLock<Map<String, Value>> =
    LazyLock::new(|| match serde_json::from_str(DATA) {
        Ok(Value::Object(tools)) => tools,
        _ => Map::new(),
    });

/// What compiles pi's own tool `name`; `None` if pi has no such tool.
///
/// # Errors
///
/// None in practice: the data is checked by a test. The type is that of [`ToolConfig::from_json`].
pub fn spec(name: &str, host: Option<HostProfile>) -> Result<Option<ToolSpec>, ConfigError> {
    let Some(entry) = TOOL_DATA.get(name) else { return Ok(None) };
    let schema = entry.get("schema").cloned().unwrap_or_default();
    let config = ToolConfig::from_json(entry)?;
    let origin = SchemaOrigin::TypeBox;
    Ok(Some(ToolSpec { name: name.to_owned(), schema, config, host, origin }))
}

/// The built-in configuration for a tool that is named like one of pi's and has its fields.
///
/// A tool of the same name with other fields is another tool, and gets the empty configuration.
///
/// # Errors
///
/// As [`spec`].
pub fn config_for(name: &str, schema: &Value) -> Result<ToolConfig, ConfigError> {
    let Some(own) = spec(name, None)? else { return Ok(ToolConfig::default()) };
    let fields = |schema: &Value| -> Vec<String> {
        let members = schema.get("properties").and_then(Value::as_object);
        let mut names: Vec<String> = members.into_iter().flat_map(Map::keys).cloned().collect();
        names.sort_unstable();
        names
    };
    let theirs = fields(schema);
    let required = |schema: &Value| {
        schema.get("required").cloned().filter(|list| *list != Value::Array(Vec::new()))
    };
    let same = theirs == fields(&own.schema) && required(schema) == required(&own.schema);
    Ok(if same { own.config } else { ToolConfig::default() })
}

/// The fields of pi's edit item with the names models use for them, for older configurations.
pub(crate) fn edit_fields() -> Vec<(String, Vec<String>)> {
    let spec = spec("edit", None).ok().flatten();
    let folds = spec.into_iter().flat_map(|spec| spec.config.preprocessors);
    folds
        .filter(|entry| entry.kind.name == "fold")
        .map(|entry| entry.fields)
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_compiles() {
        assert_eq!(TOOL_DATA.keys().map(String::as_str).collect::<Vec<_>>(), TOOLS);
        for name in TOOLS {
            let spec = spec(name, None).expect("reads").expect("is there");
            let config = config_for(name, &spec.schema).expect("reads");
            assert!(!config.preprocessors.is_empty() && config.unknown_kinds.is_empty());
            assert!(crate::Tool::compile(spec).is_ok(), "{name}");
        }
        assert_eq!(edit_fields().len(), 2);
    }

    #[test]
    fn another_tool_of_the_same_name_has_no_configuration() {
        let schema = serde_json::json!({"properties": {"url": {"type": "string"}}});
        assert!(config_for("read", &schema).is_ok_and(|config| config.preprocessors.is_empty()));
    }

    #[test]
    fn a_tool_has_our_configuration_by_fields_and_required_ones() {
        let own = spec("read", None).expect("reads").expect("is there").schema;
        let configured = |schema: &Value| {
            config_for("read", schema).is_ok_and(|config| !config.preprocessors.is_empty())
        };
        let mut more = own.clone();
        more["properties"]["url"] = serde_json::json!({});
        let mut fewer = own.clone();
        fewer["required"] = serde_json::json!([]);
        let mut none = fewer.clone();
        none.as_object_mut().expect("an object").remove("required");
        assert!(configured(&own) && !configured(&more));
        assert!(!configured(&fewer) && !configured(&none));
    }
}
