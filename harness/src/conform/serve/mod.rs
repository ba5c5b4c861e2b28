//! Our own side of the protocol: the engine behind standard streams, as the reference.

mod advice;
mod leaks;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use engine::grammar::Grammar;
use engine::grammar::tables::GrammarTables;
use engine::host::{HostProfile, SchemaOrigin, edit_hook};
use engine::{
    Change, Context, Limits, Observation, ObservationKind, Outcome, OwnerHook, Policy, Refusal,
    Registry, StopReason, Tool, ToolConfig, ToolSpec,
};
use serde_json::{Map, Value, json};

use super::hello::{FEATURES, OPERATIONS};
use super::{Hello, Numbers, wire};
use crate::advice::{self as advising, subject::Own};
use crate::arguments::mutants::{MUTANTS, Plant};
use crate::arguments::run::{compile, registry};
use crate::leaks::mutants::MUTANTS as LEAKY;

/// Compiled tools that are kept; a session has few.
const KEPT_MAX: usize = 256;

/// The engine as a server of questions, sound or with a planted bug.
#[derive(Debug)]
pub struct Server {
    plant: Plant,
    /// Alters the grammar of leaks.
    leaky: fn(&mut GrammarTables),
    advisor: Own,
    tools: BTreeMap<String, Arc<Tool>>,
    grammars: BTreeMap<String, Arc<Grammar>>,
    registries: BTreeMap<String, Arc<Registry>>,
}

/// Why a question has no answer: a code of the protocol, and words.
type Refused = (&'static str, String);

impl Server {
    /// The engine as it is, or with the planted bug of this name about arguments, leaks or advice.
    pub fn new(name: Option<&str>) -> Self {
        let leaky = LEAKY.iter().find(|row| Some(row.name) == name);
        let plant = MUTANTS.iter().find(|row| Some(row.name) == name);
        let advice = advising::mutants::MUTANTS.iter().find(|row| Some(row.name) == name);
        let tools =
            leaky.map_or(Plant::NONE, |row| Plant { tables: row.plant.tools, ..Plant::NONE });
        Self {
            plant: plant.map_or(tools, |row| row.plant),
            leaky: leaky.map_or(|_| {}, |row| row.plant.grammar),
            advisor: Own::new(advice.map(|row| row.plant)),
            tools: BTreeMap::new(),
            grammars: BTreeMap::new(),
            registries: BTreeMap::new(),
        }
    }

    /// Answers each line of `input` by one line, until it ends.
    ///
    /// # Errors
    ///
    /// Streams that cannot be read or written.
    pub fn run(&mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.lines() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            writeln!(output, "{}", self.answer(&line))?;
            output.flush()?;
        }
        Ok(())
    }

    /// The answer to one line. A panic of the engine is an answer, too.
    pub fn answer(&mut self, line: &str) -> Value {
        let question = match wire::read(line) {
            Ok(question) => question,
            Err(says) => return failed(&Value::Null, ("bad-request", says)),
        };
        let id = question.get("id").cloned().unwrap_or_default();
        let answer = catch_unwind(AssertUnwindSafe(|| self.handle(&question)));
        match answer {
            Ok(Ok(answer)) => {
                let mut all = Map::new();
                all.insert("id".to_owned(), id);
                all.extend(answer);
                Value::Object(all)
            }
            Ok(Err(refused)) => failed(&id, refused),
            Err(_) => failed(&id, ("internal", "the engine panicked".to_owned())),
        }
    }

    fn handle(&mut self, question: &Value) -> Result<Map<String, Value>, Refused> {
        let answer = match text(question, "op").unwrap_or_default() {
            "hello" => greeting().to_json(),
            "repair" => self.repair(question)?,
            "repair_text" => self.repair_text(question)?,
            "read" => self.read(question)?,
            "resolve_name" => self.resolve(question)?,
            "scan" => leaks::scan(self, question)?,
            "treat" => leaks::treat(self, question)?,
            "advise" => advice::advise(self, question)?,
            other => return Err(("unsupported", format!("there is no operation `{other}`"))),
        };
        match answer {
            Value::Object(members) => Ok(members),
            _ => Err(("internal", "an answer is an object".to_owned())),
        }
    }

    fn repair(&mut self, question: &Value) -> Result<Value, Refused> {
        let args = question.get("args").ok_or_else(|| lacks("args"))?;
        let tool = self.tool(question)?;
        let context = context(question)?;
        let own = own_hook(question);
        let outcome = match own.as_ref() {
            None => tool.repair(args, &context),
            Some(hook) => tool.repair_hooked(args, hook, &context),
        };
        Ok(outcome_json(outcome))
    }

    fn repair_text(&mut self, question: &Value) -> Result<Value, Refused> {
        let sent = text(question, "text").ok_or_else(|| lacks("text"))?;
        let tool = self.tool(question)?;
        let own = own_hook(question);
        let hook: Option<OwnerHook<'_>> = own.as_ref().map(|hook| hook as OwnerHook<'_>);
        Ok(outcome_json(tool.repair_text(sent, hook, &context(question)?)))
    }

    fn read(&mut self, question: &Value) -> Result<Value, Refused> {
        let sent = text(question, "text").ok_or_else(|| lacks("text"))?;
        Ok(match self.tool(question)?.read(sent, &context(question)?) {
            Err(refusal) => refusal_json(&refusal),
            Ok(read) => json!({
                "value": read.value,
                "strict": read.strict,
                "inexact": read.inexact,
                "steps": read.steps,
            }),
        })
    }

    fn resolve(&mut self, question: &Value) -> Result<Value, Refused> {
        let name = text(question, "name").ok_or_else(|| lacks("name"))?;
        let registry = self.registry(question, &|name| ToolSpec {
            name: name.to_owned(),
            schema: true.into(),
            ..ToolSpec::default()
        })?;
        Ok(match registry.resolve_name(name) {
            Err(error) => json!({"tool": null, "message": error.to_string()}),
            Ok(found) => {
                let rules: Vec<&str> = found.rules.iter().map(|rule| rule.id).collect();
                json!({"tool": found.tool, "rules": rules})
            }
        })
    }

    /// The tool of a question, compiled when it is first asked about.
    fn tool(&mut self, question: &Value) -> Result<Arc<Tool>, Refused> {
        let given = question.get("tool").ok_or_else(|| lacks("tool"))?;
        let host = host(question)?;
        let key = format!("{given} {host:?}");
        if let Some(tool) = self.tools.get(&key) {
            return Ok(Arc::clone(tool));
        }
        let sound = self.plant_is_none();
        let tool = compile(&self.plant, spec(given, host)?, sound).map_err(|says| bad(&says))?;
        let tool = Arc::new(tool);
        if self.tools.len() >= KEPT_MAX {
            self.tools.clear();
        }
        self.tools.insert(key, Arc::clone(&tool));
        Ok(tool)
    }

    /// An altered engine takes the long way, on which the alteration lies.
    fn plant_is_none(&self) -> bool {
        std::ptr::fn_addr_eq(self.plant.tables, Plant::NONE.tables)
            && std::ptr::fn_addr_eq(self.plant.config, Plant::NONE.config)
    }

    /// The tools of a question: names, which `open` makes tools, or tools.
    fn registry(
        &mut self,
        question: &Value,
        open: &dyn Fn(&str) -> ToolSpec,
    ) -> Result<Arc<Registry>, Refused> {
        let given = question.get("tools").ok_or_else(|| lacks("tools"))?;
        let key = given.to_string();
        if let Some(registry) = self.registries.get(&key) {
            return Ok(Arc::clone(registry));
        }
        let list = given.as_array().ok_or_else(|| bad("`tools` must be a list"))?;
        let compiled = list.iter().map(|row| {
            let spec = match row.as_str() {
                Some(name) => open(name),
                None => spec(row, host(question)?)?,
            };
            compile(&self.plant, spec, true).map_err(|says| bad(&says))
        });
        let tools = compiled.collect::<Result<Vec<_>, Refused>>()?;
        let registry = Arc::new(registry(&self.plant, tools).map_err(|says| bad(&says))?);
        if self.registries.len() >= KEPT_MAX {
            self.registries.clear();
        }
        self.registries.insert(key, Arc::clone(&registry));
        Ok(registry)
    }
}

/// What the engine says of itself.
pub fn greeting() -> Hello {
    let limits = Limits::DEFAULT.rows().into_iter().map(|(name, most)| (name.to_owned(), most));
    Hello {
        engine: "pi-repair".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        operations: OPERATIONS.iter().map(|row| row.0).collect(),
        features: FEATURES.iter().map(|row| row.0).collect(),
        numbers: Numbers::Exact,
        undoes: None,
        families: None,
        promises: None,
        limits: limits.collect(),
    }
}

fn failed(id: &Value, (code, message): Refused) -> Value {
    json!({"id": id, "error": {"code": code, "message": message}})
}

fn lacks(member: &str) -> Refused {
    bad(&format!("`{member}` is missing or of the wrong type"))
}

fn bad(says: &str) -> Refused {
    ("bad-request", says.to_owned())
}

fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

fn host(question: &Value) -> Result<Option<HostProfile>, Refused> {
    let name = question.pointer("/context/host").and_then(Value::as_str);
    let known = |name| HostProfile::from_name(name).ok_or_else(|| bad("`host` is no profile"));
    name.map(known).transpose()
}

fn spec(tool: &Value, host: Option<HostProfile>) -> Result<ToolSpec, Refused> {
    let name = text(tool, "name").ok_or_else(|| lacks("tool.name"))?.to_owned();
    let schema = tool.get("schema").cloned().ok_or_else(|| lacks("tool.schema"))?;
    let config = tool.get("config").map(ToolConfig::from_json).transpose();
    let config = config.map_err(|error| bad(&error.to_string()))?.unwrap_or_default();
    let typebox = text(tool, "origin") == Some("typebox");
    let origin = if typebox { SchemaOrigin::TypeBox } else { SchemaOrigin::Json };
    Ok(ToolSpec { name, schema, config, host, origin })
}

fn context(question: &Value) -> Result<Context<'_>, Refused> {
    let Some(given) = question.get("context") else { return Ok(Context::default()) };
    let mut limits = Limits::DEFAULT;
    let small = given.get("limits").and_then(Value::as_object).into_iter().flatten();
    for (name, most) in small {
        let most = most.as_u64().ok_or_else(|| bad("a limit is a count"))?;
        limits.set(name, most).map_err(|error| bad(&error.to_string()))?;
    }
    let policy = text(given, "policy").map(str::parse::<Policy>).transpose();
    Ok(Context {
        model: text(given, "model"),
        provider: text(given, "provider"),
        policy: policy.map_err(|error| bad(&error.to_string()))?.unwrap_or_default(),
        stop_reason: text(given, "stop_reason").map_or(StopReason::Stop, StopReason::from_name),
        limits,
    })
}

/// pi's own hook of `edit`, where the question wants it.
fn own_hook(question: &Value) -> Option<impl Fn(&Value) -> Result<Value, String>> {
    let wanted = question.pointer("/context/hook").and_then(Value::as_bool).unwrap_or(false);
    let profile = host(question).ok().flatten().unwrap_or(HostProfile::Pi15);
    wanted.then_some(move |value: &Value| Ok(edit_hook(profile, value)))
}

fn outcome_json<T: ?Sized>(outcome: Outcome<'_, T>) -> Value {
    match outcome {
        Outcome::Valid(_) => json!({"outcome": "valid"}),
        Outcome::Deferred(_) => json!({"outcome": "deferred"}),
        Outcome::Repaired { args, changes, observations } => json!({
            "outcome": "repaired",
            "args": args,
            "changes": changes.iter().map(Change::to_json).collect::<Vec<_>>(),
            "observations": observations.iter().map(observation_json).collect::<Vec<_>>(),
        }),
        Outcome::Unrepairable(refusal) => refusal_json(&refusal),
    }
}

fn observation_json(seen: &Observation) -> Value {
    let kind = match seen.kind {
        ObservationKind::Withheld => "withheld",
        ObservationKind::UnknownKind => "unknown-kind",
        _ => "hook-failed",
    };
    json!({"rule": seen.rule, "stage": seen.stage.name(), "kind": kind})
}

fn refusal_json(refusal: &Refusal) -> Value {
    json!({
        "outcome": "unrepairable",
        "reason": refusal.reason.id(),
        "detail": crate::arguments::detail(&refusal.reason),
        "message": refusal.message(),
        "fingerprint": format!("{:016x}", refusal.fingerprint),
    })
}
