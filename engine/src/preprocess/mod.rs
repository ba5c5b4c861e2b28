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
    use serde_json::json;

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

    /// What becomes of a call to `find` with these entries: the arguments, or why not.
    fn made(schema: &Value, entries: &Value, args: &str) -> String {
        let spec = crate::ToolSpec {
            name: "find".to_owned(),
            schema: schema.clone(),
            config: crate::ToolConfig::from_json(&json!({ "preprocessors": entries })).unwrap(),
            ..crate::ToolSpec::default()
        };
        let before: Value = serde_json::from_str(args).unwrap();
        match crate::Tool::compile(spec).unwrap().repair(&before, &crate::Context::default()) {
            crate::Outcome::Repaired { args, .. } => args.to_string(),
            crate::Outcome::Unrepairable(refusal) => refusal.reason.id().to_owned(),
            _ => "same".to_owned(),
        }
    }

    #[test]
    fn an_alias_moves_only_where_the_field_is_missing() {
        let schema = json!({"required": ["path"], "properties": {"path": {"type": "string"}}});
        let nullable =
            json!({"required": ["path"], "properties": {"path": {"type": ["string", "null"]}}});
        let plain = json!([{"kind": "alias", "selector": "/path", "aliases": ["file", "name"]}]);
        let empty = json!([{"kind": "alias", "selector": "/path", "aliases": ["file"],
            "emptyEquivalentToMissing": true}]);
        let alone =
            json!([{"kind": "alias", "selector": "/path", "aliases": ["file"], "alone": true}]);
        let path = json!([{"kind": "alias", "selector": "/path", "aliases": ["file"]},
            {"kind": "filesystem-path", "selector": "/path"}]);
        for (schema, entries, args, expected) in [
            (&schema, &plain, r#"{"path":"/x","file":"/y"}"#, "same"),
            (&schema, &plain, r#"{"path":null,"file":"/y"}"#, r#"{"path":"/y"}"#),
            (&schema, &plain, r#"{"path":"","file":"/y"}"#, "same"),
            (&schema, &plain, r#"{"path":5,"file":"/y"}"#, "misfit"),
            (&schema, &plain, r#"{"file":"/y","name":"/z"}"#, "conflicting-aliases"),
            (&schema, &plain, r#"{"file":"/y","name":"/y"}"#, r#"{"path":"/y"}"#),
            // A name that repeats the tool's is no value.
            (&schema, &plain, r#"{"name":"find"}"#, "misfit"),
            (&schema, &plain, r#"{"name":"/x"}"#, r#"{"path":"/x"}"#),
            (&schema, &plain, r#"{"file":"find"}"#, r#"{"path":"find"}"#),
            (&nullable, &plain, r#"{"file":null}"#, "misfit"),
            (&nullable, &plain, r#"{"path":null,"file":"/y"}"#, "same"),
            (&schema, &empty, r#"{"path":"","file":"/y"}"#, r#"{"path":"/y"}"#),
            (&schema, &empty, r#"{"path":"/x","file":"/y"}"#, "same"),
            (&schema, &empty, r#"{"file":""}"#, "misfit"),
            (&schema, &alone, r#"{"file":"/y","all":true}"#, "foreign-field"),
            (&schema, &alone, r#"{"file":"/y","count":0}"#, "foreign-field"),
            (&schema, &alone, r#"{"file":"/y","title":"t"}"#, r#"{"title":"t","path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":""}"#, r#"{"a":"","path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":[]}"#, r#"{"a":[],"path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":{}}"#, r#"{"a":{},"path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":false}"#, r#"{"a":false,"path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":null}"#, r#"{"a":null,"path":"/y"}"#),
            (&schema, &alone, r#"{"file":"/y","a":["x"]}"#, "foreign-field"),
            // What is no path yet stays under its other name.
            (&schema, &path, r#"{"file":"null"}"#, "misfit"),
            (&schema, &path, r#"{"file":"{\"a\":1}"}"#, "misfit"),
            (&schema, &path, r#"{"file":"a\u200bb"}"#, "misfit"),
            (&schema, &path, r#"{"file":"a.md"}"#, r#"{"path":"a.md"}"#),
        ] {
            assert_eq!(made(schema, entries, args), expected, "{args}");
        }
    }

    #[test]
    fn flat_fields_fold_where_nothing_is_lost() {
        let item = json!({"required": ["oldText", "newText"], "properties": {
            "oldText": {"type": "string"}, "newText": {"type": "string"}, "path": {}, "all": {}}});
        let schema = json!({"required": ["edits"], "properties": {
            "edits": {"type": "array", "items": item}, "path": {}}});
        let entries = json!([{"kind": "fold", "selector": "/edits",
            "fields": {"oldText": ["old"], "newText": ["new"]}}]);
        let one = r#"{"edits":[{"oldText":"a","newText":"b"}]}"#;
        for (args, expected) in [
            (r#"{"old":"a","newText":"b"}"#, one),
            (r#"{"edits":null,"old":"a","new":"b"}"#, one),
            (r#"{"edits":[],"old":"a","new":"b"}"#, one),
            (r#"{"old</arg_key>":"a","newText":"b"}"#, one),
            (r#"{"oldText</arg_key>":"a","newText":"b"}"#, one),
            (r#"{"old":"a"}"#, "misfit"),
            (r#"{"foo</arg_key>":"a","edits":[]}"#, "same"),
            (r#"{"old":"a","oldText":"c","new":"b"}"#, "fold-conflict"),
            (r#"{"edits":"x","oldText":"a","newText":"b"}"#, "fold-conflict"),
            // Beside a list: only under the fields' own names, and only what it does not hold.
            (
                r#"{"edits":[{"oldText":"x","newText":"y"}],"oldText":"a","newText":"b"}"#,
                r#"{"edits":[{"oldText":"x","newText":"y"},{"oldText":"a","newText":"b"}]}"#,
            ),
            (r#"{"edits":[{"oldText":"x","newText":"y"}],"old":"a","new":"b"}"#, "fold-conflict"),
            (r#"{"edits":[{"oldText":"a","newText":"b"}],"old":"a","new":"b"}"#, "same"),
            (r#"{"edits":[{"oldText":"a","newText":"b"}],"oldText":"a","newText":"b"}"#, "same"),
            (r#"{"edits":[{"oldText":"x","newText":"y"}],"old":5,"new":"b"}"#, "same"),
            (
                r#"{"edits":[{"oldText":"x","newText":"y"}],"oldText":5,"newText":"b"}"#,
                "fold-conflict",
            ),
            // A member that only the item declares would stay outside it.
            (r#"{"all":true,"old":"a","new":"b"}"#, "fold-conflict"),
            (
                r#"{"path":1,"x":2,"old":"a","new":"b"}"#,
                r#"{"path":1,"x":2,"edits":[{"oldText":"a","newText":"b"}]}"#,
            ),
        ] {
            assert_eq!(made(&schema, &entries, args), expected, "{args}");
        }
    }

    #[test]
    fn template_tokens_go_from_keys_of_known_fields() {
        let text = json!({"type": "string"});
        let schema = json!({"properties": {"path": text, "text": text, "v": {"type": "object",
            "properties": {"path": text}}}});
        let entries = json!([{"kind": "alias", "selector": "/path", "aliases": ["file", "a<b"]},
            {"kind": "alias", "selector": "/v/path", "aliases": ["inner"]}]);
        let both = r#"{"path":"/x","text":"t"}"#;
        for (args, expected) in [
            (r#"{"path</arg_key>":"/x","text":"t"}"#, r#"{"text":"t","path":"/x"}"#),
            (r#"{"path</arg_key>":"/x","text</arg_key>":"t"}"#, both),
            (r#"{"path</arg_key>":"/x","text</arg_key>":"<arg_value>t</arg_value>"}"#, both),
            (r#"{"path</arg_key>":"/x","path":null}"#, r#"{"path":"/x"}"#),
            (r#"{"file</arg_key>":"/x"}"#, r#"{"path":"/x"}"#),
            (r#"{"path</arg_key>":"/x","path":"/y"}"#, "conflicting-aliases"),
            (r#"{"path</arg_key>":"/x","<arg_key>path":"/x"}"#, "conflicting-aliases"),
            (r#"{"path</arg_key>":"see <arg_key>"}"#, r#"{"path":"see <arg_key>"}"#),
            (r#"{"path</arg_key>":"a</arg_value><arg_key>b"}"#, "unreadable"),
            (r#"{"foo</arg_key>":"/x"}"#, "same"),
            (r#"{"inner</arg_key>":"/x"}"#, "same"),
            (r#"{"a<b":"/x"}"#, r#"{"path":"/x"}"#),
            (r#"{"a<c":"/x"}"#, "same"),
        ] {
            assert_eq!(made(&schema, &entries, args), expected, "{args}");
        }
    }

    #[test]
    fn half_a_pair_of_tokens_goes_only_at_the_top() {
        let schema = json!({"properties": {"path": {}, "edits": {}}});
        let entries = json!([{"kind": "grammar-tokens", "selector": "/path"},
            {"kind": "grammar-tokens", "selector": "/edits/*"}]);
        for (args, expected) in [
            (r#"{"path":"/x</arg_value>"}"#, r#"{"path":"/x"}"#),
            (r#"{"edits":[{"a":"x</arg_value>"}]}"#, "same"),
            (r#"{"edits":[{"a":"<arg_value>x</arg_value>"}]}"#, r#"{"edits":[{"a":"x"}]}"#),
        ] {
            assert_eq!(made(&schema, &entries, args), expected, "{args}");
        }
    }
}
