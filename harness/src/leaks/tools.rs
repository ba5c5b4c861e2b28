//! The tools of leak cases: pi's own, and made-up ones whose fields have every type of JSON.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use engine::tables::Tables;
use engine::{Registry, Tool, ToolSpec, builtin};
use serde_json::{Value, json};

use crate::generate::Subject;
use crate::oracle::second_validator::SecondValidator;
use crate::subjects;

/// Names that look like tools and are none.
pub const STRANGERS: &[&str] = &["web_search", "Teleport", "functions.fly", "x"];

/// Made-up tools: name and schema.
fn made_up() -> Vec<(&'static str, Value)> {
    let text = || json!({"type": "string"});
    let object = |required: Value, properties: Value| json!({"type": "object", "required": required, "properties": properties});
    vec![
        ("list_mailboxes", object(json!([]), json!({"folder": text()}))),
        (
            "get_forecast",
            object(
                json!(["city"]),
                json!({"city": text(), "days": {"type": "integer"}, "metric": {"type": "boolean"},
                    "level": {"enum": ["low", "high"]}}),
            ),
        ),
        (
            "mcp__notes__add",
            object(
                json!(["title", "tags"]),
                json!({"title": text(), "tags": {"type": "array", "items": text()},
                    "meta": object(json!([]), json!({"due": {"type": "number"}, "done": {"type": "boolean"}, "by": text()}))}),
            ),
        ),
        (
            "set_status",
            object(
                json!(["id"]),
                json!({"id": {"type": "integer"}, "ratio": {"type": "number"}, "note": {"anyOf": [text(), {"type": "null"}]},
                    "status": {"enum": [1, 2, "auto"]}, "since": {"type": ["integer", "null"]}}),
            ),
        ),
        ("runQuery", object(json!(["sql"]), json!({"sql": text(), "params": {"type": "array"}}))),
    ]
}

/// What the generators know of every tool, pi's first.
pub fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let made = made_up().into_iter().map(|(name, schema)| Subject::bare(name, schema));
        subjects::builtins().into_iter().chain(made).collect()
    })
}

/// The tools of a session, compiled.
#[derive(Debug)]
pub struct Tools {
    /// The registry.
    pub registry: Registry,
    seconds: BTreeMap<String, SecondValidator>,
}

impl Tools {
    /// Compiles every tool.
    ///
    /// # Panics
    ///
    /// If one does not compile: they are constants.
    pub fn new() -> Self {
        Self::on(|_| {})
    }

    /// Compiles every tool on altered tables, to plant a bug.
    ///
    /// # Panics
    ///
    /// As [`Tools::new`].
    pub fn on(alter: fn(&mut Tables)) -> Self {
        let mut tables = Tables::default();
        alter(&mut tables);
        let specs = specs();
        let second = |spec: &ToolSpec| {
            let second = SecondValidator::compile(&spec.schema).expect("the schemas compile");
            (spec.name.clone(), second)
        };
        let seconds = specs.iter().map(second).collect();
        let compile = |spec| Tool::compile_with(spec, tables.clone()).expect("the tools compile");
        let tools = specs.into_iter().map(compile);
        let registry = Registry::new(tools).expect("the names differ");
        Self { registry, seconds }
    }

    /// What another validator says against the arguments of a tool.
    pub fn complaint(&self, tool: &str, args: &Value) -> Option<String> {
        self.seconds.get(tool)?.complaint(args)
    }
}

impl Default for Tools {
    fn default() -> Self {
        Self::new()
    }
}

/// What every tool is compiled from.
pub(super) fn specs() -> Vec<ToolSpec> {
    subjects().iter().map(spec).collect()
}

fn spec(subject: &Subject) -> ToolSpec {
    let own = builtin::spec(&subject.name, None).expect("the engine reads its own data");
    own.unwrap_or_else(|| ToolSpec {
        name: subject.name.clone(),
        schema: subject.schema.clone(),
        ..ToolSpec::default()
    })
}

/// The subject of this name.
pub fn subject(name: &str) -> Option<&'static Subject> {
    subjects().iter().find(|subject| subject.name == name)
}

/// True if the tool's schema or configuration has a meaning for a field of this name at the top.
pub fn declares(subject: &Subject, key: &str) -> bool {
    let named = subject.schema.get("properties").and_then(|fields| fields.get(key)).is_some();
    let flat =
        subject.fold.as_ref().is_some_and(|fold| fold.fields.iter().any(|field| field == key));
    named || flat || subject.is_alias(key)
}
