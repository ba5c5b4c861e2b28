//! Tells, stage by stage, what becomes of one call.

use std::fmt;

use engine::host::{HostProfile, SchemaOrigin, convert, edit_hook};
use engine::tables::Tables;
use engine::{
    Change, ConfigError, Context, Issue, Observation, ObservationKind, Outcome, Refusal, Registry,
    Stage, Tool, ToolConfig, ToolSpec, builtin,
};
use serde_json::{Map, Value, json};

/// What is to be explained.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The tool as the call names it.
    pub tool: &'a str,
    /// The tool's own schema; without one, the tool is one of pi's.
    pub schema: Option<Value>,
    /// The tool's own configuration; without one, pi's tools have theirs and others have none.
    pub config: Option<ToolConfig>,
    /// The host whose hook runs before, and whose conversion runs after.
    pub host: Option<HostProfile>,
    /// Model, provider, policy, stop reason and limits.
    pub context: Context<'a>,
    /// The argument text.
    pub input: &'a str,
}

/// One step of a stage, with what the arguments are after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The change.
    pub change: Change,
    /// The arguments after it; none where it made no operation.
    pub args: Option<Value>,
}

/// What became of a call, stage by stage.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The registered tool; none if the name stands for none.
    pub tool: Option<String>,
    /// What was done to the name.
    pub name_changes: Vec<Change>,
    /// What the text says; none if it cannot be read.
    pub read: Option<Value>,
    /// True if the text is strict JSON.
    pub strict: bool,
    /// True if the host has a hook for this tool.
    pub hooked: bool,
    /// Every change, in order.
    pub steps: Vec<Step>,
    /// The first misfits when the schema is first asked, after the hook and the preprocessors.
    pub misfits: Vec<Issue>,
    /// How many of the steps were made before that.
    pub steps_before_check: usize,
    /// `valid`, `deferred`, `repaired` or `unrepairable`.
    pub outcome: &'static str,
    /// The arguments that run; none for a refusal.
    pub args: Option<Value>,
    /// What was left undone.
    pub observations: Vec<Observation>,
    /// The refusal.
    pub refusal: Option<Refusal>,
}

impl Explanation {
    /// What the model reads about the repair, or instead of the call; none for a valid call.
    pub fn note(&self) -> Option<String> {
        if let Some(refusal) = &self.refusal {
            return Some(refusal.message());
        }
        let mut notes: Vec<&str> = Vec::new();
        let made = self.steps.iter().map(|step| &step.change);
        for change in self.name_changes.iter().chain(made) {
            if !notes.contains(&change.note.as_str()) {
                notes.push(&change.note);
            }
        }
        (!notes.is_empty()).then(|| notes.join("\n"))
    }

    /// The explanation as data. Every member is always there.
    ///
    /// `tool` (null if there is none of that name) · `outcome` · `args` (what runs; null for a
    /// refusal) · `read`: `{value, strict}` · `name`, `steps`: lists of changes `{rule, stage,
    /// pointer, operations, note, args}`, where `args` is what the arguments are after the change,
    /// or null where it made no operation · `check`: `{after_steps, misfits: [{pointer, keyword,
    /// expected, got}]}` · `observations`: `[{rule, stage, kind}]` · `note`: what the model reads ·
    /// `refusal`: null, or `{reason, pointer, issues, expected, fingerprint}`.
    pub fn to_json(&self) -> Value {
        let step = |step: &Step| with_args(&step.change, step.args.as_ref());
        let observations: Vec<Value> = self
            .observations
            .iter()
            .map(|seen| {
                json!({"rule": seen.rule, "stage": seen.stage.name(), "kind": kind(seen.kind)})
            })
            .collect();
        let refusal = self.refusal.as_ref().map(|refusal| {
            json!({
                "reason": refusal.reason.id(),
                "pointer": refusal.reason.pointer().map(|at| at.as_str().to_owned()),
                "issues": issues(&refusal.issues),
                "expected": refusal.expected,
                "fingerprint": format!("{:016x}", refusal.fingerprint),
            })
        });
        json!({
            "tool": self.tool,
            "outcome": self.outcome,
            "args": self.args,
            "read": {"value": self.read, "strict": self.strict},
            "name": self.name_changes.iter().map(|c| with_args(c, None)).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "check": {"after_steps": self.steps_before_check, "misfits": issues(&self.misfits)},
            "observations": observations,
            "note": self.note(),
            "refusal": refusal,
        })
    }
}

/// The request cannot be put to the engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ExplainError {
    /// The schema or the configuration is wrong.
    Config(ConfigError),
    /// The name holds arguments, and so does the input.
    TwoInputs,
}

impl fmt::Display for ExplainError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(error) => error.fmt(out),
            Self::TwoInputs => out.write_str(
                "the tool's name holds arguments, and the input holds others; give an empty input",
            ),
        }
    }
}

impl std::error::Error for ExplainError {}

impl From<ConfigError> for ExplainError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

/// Tells what becomes of the call.
///
/// # Errors
///
/// [`ExplainError`] for a schema that does not compile, or arguments given twice.
pub fn explain(request: &Request<'_>) -> Result<Explanation, ExplainError> {
    let registry = Registry::new(tools(request)?)?;
    let unknown = || unknown_tool(&registry, request);
    let Ok(resolved) = registry.resolve_name(request.tool) else { return Ok(unknown()) };
    let Some(tool) = registry.tool(&resolved.tool) else { return Ok(unknown()) };
    let lifted = resolved.arguments.as_ref().map(Value::to_string);
    let input = match &lifted {
        Some(_) if !request.input.trim().is_empty() => return Err(ExplainError::TwoInputs),
        Some(lifted) => lifted,
        None => request.input,
    };
    let name_changes = resolved.rules.iter().map(|rule| Change {
        rule: rule.id,
        stage: Stage::Name,
        pointer: engine::Pointer::root(),
        operations: Vec::new(),
        note: rule.note_for(tool.name()),
    });
    let mut explanation = follow(tool, request, input);
    explanation.name_changes = name_changes.collect();
    explanation.misfits = misfits(tool, &explanation)?;
    Ok(explanation)
}

/// The tools the name is resolved among: the caller's one, or all of pi's.
fn tools(request: &Request<'_>) -> Result<Vec<Tool>, ConfigError> {
    let own = |name: &str| -> Result<Option<Tool>, ConfigError> {
        let Some(mut spec) = builtin::spec(name, request.host)? else { return Ok(None) };
        if let Some(config) = request.config.as_ref().filter(|_| name == request.tool) {
            spec.config = config.clone();
        }
        Tool::compile(spec).map(Some)
    };
    let Some(schema) = request.schema.clone() else {
        return builtin::TOOLS.iter().filter_map(|name| own(name).transpose()).collect();
    };
    let name = request.tool.to_owned();
    let theirs = builtin::config_for(&name, &schema)?;
    let origin =
        if theirs.preprocessors.is_empty() { SchemaOrigin::Json } else { SchemaOrigin::TypeBox };
    let config = request.config.clone().unwrap_or(theirs);
    let spec = ToolSpec { name, schema, config, host: request.host, origin };
    Ok(vec![Tool::compile(spec)?])
}

fn unknown_tool(registry: &Registry, request: &Request<'_>) -> Explanation {
    let sent = serde_json::from_str(request.input).unwrap_or_else(|_| Value::from(request.input));
    let outcome = registry.repair_call(request.tool, &sent, &request.context).outcome;
    let refusal = match outcome {
        Outcome::Unrepairable(refusal) => Some(refusal),
        _ => None,
    };
    Explanation { refusal, outcome: "unrepairable", ..nothing() }
}

fn nothing() -> Explanation {
    Explanation {
        tool: None,
        name_changes: Vec::new(),
        read: None,
        strict: false,
        hooked: false,
        steps: Vec::new(),
        misfits: Vec::new(),
        steps_before_check: 0,
        outcome: "unrepairable",
        args: None,
        observations: Vec::new(),
        refusal: None,
    }
}

/// Runs the call and replays its changes one by one.
fn follow(tool: &Tool, request: &Request<'_>, input: &str) -> Explanation {
    let context = &request.context;
    let host = request.host.filter(|_| tool.name() == "edit" && request.schema.is_none());
    let hook = |args: &Value| Ok(host.map_or_else(|| args.clone(), |host| edit_hook(host, args)));
    let read = tool.read(input, context).ok();
    let outcome = tool.repair_text(input, host.is_some().then_some(&hook), context);
    let mut explanation = Explanation {
        tool: Some(tool.name().to_owned()),
        strict: read.as_ref().is_some_and(|read| read.strict),
        hooked: host.is_some(),
        outcome: outcome.name(),
        ..nothing()
    };
    let value = read.map(|read| read.value);
    match outcome {
        Outcome::Valid(_) => explanation.args.clone_from(&value),
        Outcome::Deferred(_) => {
            let converted = value.as_ref().zip(tool.host()).and_then(|(value, host)| {
                convert(host, tool.origin(), tool.schema_document(), value)
            });
            explanation.args = converted;
        }
        Outcome::Repaired { args, changes, observations } => {
            explanation.steps = steps(value.as_ref(), changes);
            explanation.args = Some(args);
            explanation.observations = observations;
        }
        Outcome::Unrepairable(refusal) => explanation.refusal = Some(refusal),
    }
    let before = |step: &&Step| step.change.stage != Stage::Repair;
    explanation.steps_before_check = explanation.steps.iter().take_while(before).count();
    explanation.read = value;
    explanation
}

/// Applies every change to what was read.
fn steps(read: Option<&Value>, changes: Vec<Change>) -> Vec<Step> {
    let mut value = read.cloned().unwrap_or_default();
    let mut steps = Vec::new();
    for change in changes {
        let applied = change.operations.iter().all(|operation| operation.apply(&mut value).is_ok());
        let args = (applied && !change.operations.is_empty()).then(|| value.clone());
        steps.push(Step { change, args });
    }
    steps
}

/// What the schema says first, before any rule of it runs.
fn misfits(tool: &Tool, explanation: &Explanation) -> Result<Vec<Issue>, ConfigError> {
    if let Some(refusal) = &explanation.refusal {
        return Ok(refusal.issues.clone());
    }
    let before = explanation.steps.iter().take(explanation.steps_before_check);
    let Some(read) = &explanation.read else { return Ok(Vec::new()) };
    let value = before.filter_map(|step| step.args.as_ref()).next_back().unwrap_or(read);
    let spec = ToolSpec { schema: tool.schema_document().clone(), ..ToolSpec::default() };
    let looker = Tool::compile_with(spec, Tables { rules: Vec::new(), ..Tables::default() })?;
    let strict = Context { policy: engine::Policy::Conservative, ..Context::default() };
    Ok(match looker.repair(value, &strict) {
        Outcome::Unrepairable(refusal) => refusal.issues,
        _ => Vec::new(),
    })
}

fn with_args(change: &Change, args: Option<&Value>) -> Value {
    let mut shown = change.to_json();
    if let Value::Object(members) = &mut shown {
        members.insert("args".to_owned(), args.cloned().unwrap_or_default());
    }
    shown
}

fn issues(issues: &[Issue]) -> Vec<Map<String, Value>> {
    let row = |issue: &Issue| {
        let members = [
            ("pointer", issue.pointer.as_str()),
            ("keyword", &issue.keyword),
            ("expected", &issue.expected),
            ("got", issue.got),
        ];
        members.map(|(name, text)| (name.to_owned(), text.into())).into_iter().collect()
    };
    issues.iter().map(row).collect()
}

/// The name of an observation's kind.
pub fn kind(kind: ObservationKind) -> &'static str {
    match kind {
        ObservationKind::Withheld => "withheld",
        ObservationKind::UnknownKind => "unknown-kind",
        ObservationKind::HookFailed => "hook-failed",
        _ => "other",
    }
}
