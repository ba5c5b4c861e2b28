//! The calls that the benches time, each with the promise it guards and the outcome it must have.

pub mod leaks;

use engine::{Context, Outcome, Tool, ToolConfig, ToolSpec, builtin};
use jsonschema::Validator;
use serde_json::{Value, json};

/// One call, ready to be timed.
#[derive(Debug)]
pub struct Call {
    /// What the call is, for tables.
    pub name: String,
    /// The promise that its cost guards.
    pub says: &'static str,
    /// The outcome it must have.
    pub outcome: &'static str,
    tool: Tool,
    validator: Validator,
    context: Context<'static>,
    /// The arguments as text, cut or not.
    text: String,
    /// The arguments as the tool would run them, for validation alone.
    value: Value,
    given: Given,
}

/// The form in which a call reaches the engine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Given {
    /// A value.
    Value,
    /// Raw text.
    Text,
}

impl Call {
    fn of(tool: &str, name: &str, args: Value) -> Self {
        let spec = builtin::spec(tool, None).ok().flatten().unwrap_or_default();
        Self::with(spec, name, args)
    }

    fn with(spec: ToolSpec, name: &str, args: Value) -> Self {
        let validator = jsonschema::options().offline().build(&spec.schema).expect("compiles");
        Self {
            name: name.to_owned(),
            says: "A valid value costs one validation and no allocation.",
            outcome: "valid",
            tool: Tool::compile(spec).expect("compiles"),
            validator,
            context: Context::default(),
            text: args.to_string(),
            value: args,
            given: Given::Value,
        }
    }

    fn text(self) -> Self {
        let name = format!("{} text", self.name);
        let says = "A valid text costs less than parsing and validating it.";
        Self { name, says, given: Given::Text, ..self }
    }

    fn model(self, model: &'static str) -> Self {
        let says = "A gated model costs one linear scan more.";
        let name = format!("{} on {model}", self.name);
        Self { name, says, context: Context { model: Some(model), ..self.context }, ..self }
    }

    fn becomes(self, outcome: &'static str, says: &'static str) -> Self {
        Self { says, outcome, ..self }
    }

    fn cut(mut self, bytes: usize) -> Self {
        self.text.truncate(bytes);
        Self { given: Given::Text, ..self }
    }

    /// How many bytes of text the arguments are.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The form in which the call reaches the engine.
    pub fn given(&self) -> Given {
        self.given
    }

    /// What the engine does; gives the name of the outcome.
    pub fn engine(&self) -> &'static str {
        match self.given {
            Given::Value => self.tool.repair(&self.value, &self.context).name(),
            Given::Text => self.tool.repair_text(&self.text, None, &self.context).name(),
        }
    }

    /// Parsing alone, the drop included.
    pub fn parse(&self) -> bool {
        serde_json::from_str::<Value>(&self.text).is_ok()
    }

    /// Validation alone.
    pub fn validate(&self) -> bool {
        self.validator.is_valid(&self.value)
    }

    /// Parsing, then validation.
    pub fn parse_and_validate(&self) -> bool {
        serde_json::from_str(&self.text).is_ok_and(|value| self.validator.is_valid(&value))
    }

    /// # Panics
    ///
    /// If the outcome is not the one the call must have, or a valid value is not the same one.
    pub fn check(&self) {
        assert_eq!(self.engine(), self.outcome, "{}", self.name);
        if let Outcome::Valid(same) = self.tool.repair(&self.value, &self.context) {
            assert!(std::ptr::eq(same, &raw const self.value), "{}", self.name);
        }
    }
}

/// Every call, in the order of tables.
pub fn calls() -> Vec<Call> {
    let mut calls: Vec<Call> =
        small().into_iter().map(|(tool, args)| Call::of(tool, tool, args)).collect();
    calls.extend([
        Call::with(plain(), "own tool", json!({"city": "Oslo", "days": 3, "units": "metric"})),
        Call::with(union(), "own tool, union", json!({"target": {"id": 5}, "note": null})),
        Call::with(riddle(), "own tool, pattern", json!({"id": "ab-12", "days": 3})),
        Call::of("write", "write 64 KiB", write_args()),
        Call::of("write", "write 64 KiB", write_args()).model("glm-4.6"),
        Call::of("edit", "edit, 200 edits", edit_args(200)),
        Call::of("edit", "edit, 200 edits", edit_args(200)).model("glm-4.6"),
    ]);
    calls.extend(small().into_iter().map(|(tool, args)| Call::of(tool, tool, args).text()));
    calls.extend([
        Call::with(union(), "own tool, union", json!({"target": {"id": 5}, "note": null})).text(),
        Call::with(riddle(), "own tool, pattern", json!({"id": "ab-12", "days": 3})).text(),
        Call::of("write", "write 64 KiB", write_args()).text(),
        Call::of("write", "write 64 KiB", write_args()).text().model("glm-4.6"),
        Call::of("edit", "edit, 200 edits", edit_args(200)).text(),
    ]);
    calls.extend(broken());
    calls
}

/// Calls that need repair, or a refusal.
fn broken() -> Vec<Call> {
    let linear = "A repair costs a few validations and copies, never more than linear work.";
    let refused = "A refusal costs no more than a repair.";
    let never = "A cut text is refused after one reading.";
    let edits = edit_args(200)["edits"].to_string();
    let whole = write_args();
    let half = whole.to_string().len() / 2;
    vec![
        Call::of("read", "alias rename", json!({"file_path": "/w/a.rs"}))
            .becomes("repaired", linear),
        Call::of("read", "null dropped", json!({"path": "/w/a.rs", "limit": null}))
            .becomes("repaired", linear),
        Call::of("edit", "200 edits as text", json!({"path": "/w/a.rs", "edits": edits}))
            .becomes("repaired", linear),
        Call::of("write", "64 KiB cut in half", whole).cut(half).becomes("unrepairable", never),
        Call::of("read", "cut text", json!({"path": "/w/src/main.rs"}))
            .cut(14)
            .becomes("unrepairable", never),
        Call::of("read", "refusal", json!({"path": 5})).becomes("unrepairable", refused),
    ]
}

/// A small valid call of each built-in tool.
fn small() -> [(&'static str, Value); 8] {
    [
        ("read", json!({"path": "/w/src/main.rs", "offset": 10, "limit": 200})),
        ("bash", json!({"command": "cd /w && cargo test --workspace 2>&1 | tail -20"})),
        ("powershell", json!({"command": "Get-ChildItem -Recurse *.rs", "timeout": 30})),
        ("edit", edit_args(1)),
        ("write", json!({"path": "/w/notes.md", "content": "# Notes\n\n- one\n- two\n"})),
        ("grep", json!({"pattern": "fn main", "path": "/w/src", "glob": "*.rs", "limit": 50})),
        ("find", json!({"pattern": "**/*.rs", "path": "/w"})),
        ("ls", json!({"path": "/w/src"})),
    ]
}

fn edit_args(edits: usize) -> Value {
    let edit =
        |at| json!({"oldText": format!("let a{at} = 1;"), "newText": format!("let b{at} = 2;")});
    json!({"path": "/w/src/main.rs", "edits": (0..edits).map(edit).collect::<Vec<_>>()})
}

/// Source text as models write it: short lines, some quotes.
fn write_args() -> Value {
    let line = "    println!(\"{}\", total + 1);\n    let next = total.checked_add(1)?;\n";
    json!({"path": "/w/src/main.rs", "content": line.repeat(64 * 1024 / line.len())})
}

/// A tool without preprocessors.
fn plain() -> ToolSpec {
    ToolSpec {
        name: "weather".to_owned(),
        schema: json!({"type": "object", "required": ["city"], "additionalProperties": false,
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"},
                "units": {"enum": ["metric", "imperial"]}}}),
        config: ToolConfig::default(),
        ..ToolSpec::default()
    }
}

/// A tool without preprocessors whose schema only the validator can judge.
fn riddle() -> ToolSpec {
    ToolSpec {
        name: "ticket".to_owned(),
        schema: json!({"type": "object", "required": ["id"], "properties": {
            "id": {"type": "string", "pattern": "^[a-z]+-[0-9]+$"}, "days": {"type": "integer"}}}),
        ..plain()
    }
}

/// A tool without preprocessors that has alternatives.
fn union() -> ToolSpec {
    ToolSpec {
        name: "move".to_owned(),
        schema: json!({"type": "object", "required": ["target"], "properties": {
            "target": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["id"],
                "properties": {"id": {"type": "integer", "minimum": 1}}}]},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}),
        ..plain()
    }
}
