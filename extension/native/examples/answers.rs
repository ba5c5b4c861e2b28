//! The crate's own answers, line by line, for the test that compares the native module with it.
//!
//! Each line in is `{"name", "schema", "version", "args"}` with the arguments as JSON text; each line out
//! is `null` where they are left alone, or the outcome.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};

use engine::host::{HostProfile, SchemaOrigin};
use engine::{Context, Outcome, Tool, ToolSpec, builtin};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut tools: BTreeMap<String, Option<Tool>> = BTreeMap::new();
    for line in io::stdin().lock().lines() {
        let given: Value = serde_json::from_str(&line?)?;
        let member = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
        let schema = given.get("schema").cloned().unwrap_or_default();
        let (name, version) = (member("name"), member("version"));
        let tool = tools
            .entry(format!("{name} {version} {schema}"))
            .or_insert_with(|| compile(name, schema, version));
        let answer = tool.as_ref().map_or("no tool".into(), |tool| answer(tool, member("args")));
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn compile(name: &str, schema: Value, version: &str) -> Option<Tool> {
    let config = builtin::config_for(name, &schema).ok()?;
    let (host, origin) = (HostProfile::from_version(version), SchemaOrigin::TypeBox);
    Tool::compile(ToolSpec { name: name.to_owned(), schema, config, host, origin }).ok()
}

fn answer(tool: &Tool, args: &str) -> Value {
    match tool.repair_text(args, None, &Context::default()) {
        Outcome::Valid(_) | Outcome::Deferred(_) => Value::Null,
        Outcome::Repaired { args, changes, .. } => {
            let changes: Vec<Value> = changes.iter().map(engine::Change::to_json).collect();
            json!({"args": args, "changes": changes})
        }
        Outcome::Unrepairable(refusal) => {
            json!({"reason": refusal.reason.id(), "message": refusal.message()})
        }
    }
}
