//! Preprocessors: repairs that only run at places an owner configured, before the schema is asked.

use std::fmt;

use serde_json::Value;

use crate::policy::Grade;
use crate::selector::{Place, Selector};
use crate::{Gate, Operation, Reason};

mod alias;
mod anchor_bleed;
mod filesystem_path;
mod filesystem_path_array;
mod fold;
mod glob;
mod grammar_tokens;
mod html_entities;
mod key_residue;
mod link;
mod scalar;
mod string_or_array;

/// Every kind of preprocessor. Order means nothing; the configuration's order counts.
pub const KINDS: &[&Kind] = &[
    &alias::KIND,
    &anchor_bleed::KIND,
    &filesystem_path::KIND,
    &filesystem_path_array::KIND,
    &fold::KIND,
    &glob::KIND,
    &grammar_tokens::KIND,
    &html_entities::KIND,
    &key_residue::KIND,
    &scalar::KIND,
    &string_or_array::KIND,
];

/// One kind of preprocessor.
pub struct Kind {
    /// The name in configurations, such as `alias`.
    pub name: &'static str,
    /// The rule id in changes, such as `preprocess.rename-alias`.
    pub rule: &'static str,
    /// When it fires, as a clause.
    pub fires: &'static str,
    /// What the model should do instead; `{field}` stands for the place.
    pub note: &'static str,
    /// What it asks of the policy.
    pub grade: Grade,
    /// One call before and after, with the entry that configures it.
    pub example: KindExample,
    /// The operations at one place; none if it does not fire there.
    pub(crate) apply: fn(&Spot<'_, '_, '_>) -> Result<Vec<Operation>, Reason>,
}

/// A kind's example: runs as a test, seeds generators, and stands in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct KindExample {
    /// The schema of the tool, as JSON.
    pub schema: &'static str,
    /// The configuration entry, as JSON.
    pub entry: &'static str,
    /// The arguments before.
    pub before: &'static str,
    /// The arguments after.
    pub after: &'static str,
}

impl fmt::Debug for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The kind a configuration names.
pub(crate) fn kind_named(name: &str) -> Option<&'static Kind> {
    let name = if name == "structural" { "fold" } else { name };
    KINDS.iter().find(|kind| kind.name == name).copied()
}

/// A configured preprocessor.
#[derive(Clone, Debug)]
pub struct Preprocessor {
    /// What it does.
    pub kind: &'static Kind,
    /// Where.
    pub selector: Selector,
    /// For which models and providers.
    pub gate: Gate,
    /// For `alias`: the other names, sorted.
    pub aliases: Vec<String>,
    /// For `alias`: the JSON types it may move; empty means all but null.
    pub accepts: Vec<String>,
    /// For `alias`: an empty text at the place counts as missing, and is no value to move.
    pub empty_is_missing: bool,
    /// For `alias`: fires only if no other undeclared member says anything. For tools that change
    /// things, where another name together with a foreign field is another operation.
    pub alone: bool,
    /// For `fold`: each field of the item with its other names.
    pub fields: Vec<(String, Vec<String>)>,
}

/// A place together with what is configured there.
pub(crate) struct Spot<'s, 'p, 'v> {
    pub(crate) place: &'s Place<'p, 'v>,
    pub(crate) config: &'s Preprocessor,
    pub(crate) tool: &'s crate::Tool,
    pub(crate) root: &'v Value,
}

impl Spot<'_, '_, '_> {
    /// The text at the place, if there is one.
    pub(crate) fn text(&self) -> Option<&str> {
        self.place.here.and_then(Value::as_str)
    }

    /// The operation that puts `value` at the place.
    pub(crate) fn replace(&self, value: impl Into<Value>) -> Vec<Operation> {
        vec![Operation::Replace { path: self.place.pointer(), value: value.into() }]
    }

    /// What the schema says of the place.
    pub(crate) fn node(&self) -> crate::schema::Node<'_> {
        self.tool.schema().root().walk(&self.place.pointer(), self.root)
    }
}

/// The fields of pi's edit item with the names that models use for them.
///
/// SOURCE: `builtin_edit_schema`
pub(crate) fn pi_edit_fields() -> Vec<(String, Vec<String>)> {
    crate::builtin::edit_fields()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_a_file_each() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/preprocess");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| !matches!(name.as_str(), "mod.rs" | "link.rs"))
            .map(|name| name.trim_end_matches(".rs").replace('_', "-"))
            .collect();
        files.sort();
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(files, names);
    }

    #[test]
    fn examples_do_what_they_say() {
        for kind in KINDS {
            let example = &kind.example;
            let entry: Value = serde_json::from_str(example.entry).expect("an entry");
            let config =
                crate::ToolConfig::from_json(&serde_json::json!({"preprocessors": [entry]}))
                    .expect("a configuration");
            let spec = crate::ToolSpec {
                name: "example".to_owned(),
                schema: serde_json::from_str(example.schema).expect("a schema"),
                config,
                ..crate::ToolSpec::default()
            };
            let tool = crate::Tool::compile(spec).expect("compiles");
            let before: Value = serde_json::from_str(example.before).expect("arguments");
            let context = crate::Context {
                model: Some("glm-4.6"),
                provider: Some("xai"),
                ..crate::Context::default()
            };
            let crate::Outcome::Repaired { args, changes, .. } = tool.repair(&before, &context)
            else {
                panic!("{} does not fire", kind.name)
            };
            assert_eq!(args.to_string(), example.after, "{}", kind.name);
            assert!(changes.iter().any(|change| change.rule == kind.rule), "{}", kind.name);
        }
    }
}
