//! Scores the engine on real cases: right, allowed, refused or wrong, by area.

mod errors;
mod leaks;

use std::collections::BTreeMap;
use std::fmt;

use corpus::{Area, Case, CaseInput, Expect};
use engine::host::{HostProfile, SchemaOrigin, convert};
use engine::{
    CallOutcome, Context, Outcome, Policy, Refusal, Registry, StopReason, Tool, ToolSpec, builtin,
    same_value,
};
use serde_json::{Map, Value, json};

/// How an answer compares with the outcome a careful user wants.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// The expected outcome and value.
    Right,
    /// Another outcome that the case accepts.
    Allowed,
    /// Could have been accepted, but was refused.
    Refused,
    /// A value was accepted that nobody wanted.
    Wrong,
}

impl Verdict {
    /// Every verdict, in the order tables print them.
    pub const ALL: [Self; 4] = [Self::Right, Self::Allowed, Self::Refused, Self::Wrong];

    /// The verdict's name in tables and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Allowed => "allowed",
            Self::Refused => "refused",
            Self::Wrong => "wrong",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// One case with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The case's id.
    pub id: String,
    /// The case's area.
    pub area: Area,
    /// The verdict.
    pub verdict: Verdict,
    /// The expected outcome, and what else is accepted, in words.
    pub wanted: String,
    /// The outcome that came, with its arguments or its reason.
    pub got: Value,
}

/// The cases of one area by verdict.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tally([usize; 4]);

impl Tally {
    /// How many cases got `verdict`.
    pub fn of(&self, verdict: Verdict) -> usize {
        self.0[verdict as usize]
    }

    fn count(&mut self, verdict: Verdict) {
        self.0[verdict as usize] += 1;
    }
}

/// The score of a set of cases.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Every scored case, in the order given.
    pub cases: Vec<Scored>,
}

impl Score {
    /// Counts by area; areas without a scored case are absent.
    pub fn areas(&self) -> BTreeMap<Area, Tally> {
        let mut areas: BTreeMap<Area, Tally> = BTreeMap::new();
        for case in &self.cases {
            areas.entry(case.area).or_default().count(case.verdict);
        }
        areas
    }

    /// How many cases got `verdict`, over all areas.
    pub fn of(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    /// The score as data, for `--json`.
    pub fn to_json(&self) -> Value {
        let areas: Map<String, Value> = self
            .areas()
            .into_iter()
            .map(|(area, tally)| {
                let counts = Verdict::ALL.map(|v| (v.name().to_owned(), tally.of(v).into()));
                (area.name().to_owned(), Value::Object(counts.into_iter().collect()))
            })
            .collect();
        let cases: Vec<Value> = self
            .cases
            .iter()
            .map(|case| {
                json!({
                    "id": case.id,
                    "area": case.area.name(),
                    "verdict": case.verdict.name(),
                    "got": case.got,
                })
            })
            .collect();
        json!({ "areas": areas, "cases": cases })
    }
}

/// A case that cannot be put to the engine.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ScoreError {
    /// The case.
    pub id: String,
    /// What is wrong with it.
    pub problem: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl fmt::Display for ScoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "case `{}` {}; {}", self.id, self.problem, self.remedy)
    }
}

impl std::error::Error for ScoreError {}

/// Scores `cases` under `host`.
///
/// # Errors
///
/// [`ScoreError`] for the first case that lacks what its area needs, or whose schema does not
/// compile.
pub fn score(cases: &[Case], host: Option<HostProfile>) -> Result<Score, ScoreError> {
    let mut score = Score::default();
    for case in cases {
        let (verdict, got) = match case.area {
            Area::Arguments => arguments(case, host)?,
            Area::ToolNames => tool_name(case, host)?,
            Area::Leaks => leaks::judge(case, host)?,
            Area::ProviderErrors => errors::judge(case)?,
        };
        let (id, wanted) = (case.id.clone(), wanted(case));
        score.cases.push(Scored { id, area: case.area, verdict, wanted, got });
    }
    Ok(score)
}

/// What an outcome amounts to, whatever form the call came in.
struct Answer {
    kind: Kind,
    /// The arguments that would run, or the call; none for a refusal.
    value: Option<Value>,
    /// The outcome as data.
    shown: Map<String, Value>,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    /// The caller's own reference came back.
    Untouched,
    /// Untouched, and the host then respells it.
    Deferred,
    Repaired,
    Refused,
}

impl Answer {
    fn new(kind: Kind, name: &str, value: Option<Value>) -> Self {
        let mut shown = Map::new();
        shown.insert("outcome".into(), name.into());
        if let Some(args) = &value {
            shown.insert("args".into(), args.clone());
        }
        Self { kind, value, shown }
    }

    fn refused(refusal: &Refusal) -> Self {
        let mut answer = Self::new(Kind::Refused, "unrepairable", None);
        answer.shown.insert("reason".into(), refusal.reason.id().into());
        answer
    }

    /// True if this very value would run.
    fn runs(&self, wanted: Option<&Value>) -> bool {
        matches!((&self.value, wanted), (Some(value), Some(wanted)) if same_value(value, wanted))
    }
}

fn arguments(case: &Case, host: Option<HostProfile>) -> Result<(Verdict, Value), ScoreError> {
    let name = case.tool.as_deref().unwrap_or("tool");
    let schema = case.schema_of(name).ok_or_else(|| {
        fault(case, "has no schema", "give the tool's JSON Schema in `schema`, beside `tool`")
    })?;
    let tool = compile(case, name, schema.clone(), host)?;
    let context = context(case)?;
    let (answer, input) = match &case.input {
        CaseInput::Raw(text) => {
            let outcome = tool.repair_text(text, None, &context);
            let read = || tool.read(text, &context).map(|read| read.value).unwrap_or_default();
            let strict = serde_json::from_str(text).ok();
            (answer_of(&tool, outcome, text.as_str(), read, strict.clone()), strict)
        }
        CaseInput::Value(value) => {
            let outcome = tool.repair(value, &context);
            (
                answer_of(&tool, outcome, value, || value.clone(), Some(value.clone())),
                Some(value.clone()),
            )
        }
        CaseInput::Text(_) => {
            return Err(fault(
                case,
                "has `input_kind` `text`",
                "give arguments as `raw` or `value`",
            ));
        }
    };
    Ok((judge(case, &answer, input.as_ref()), Value::Object(answer.shown)))
}

/// What `outcome` amounts to; a reference that is not `given` itself counts as a repair.
fn answer_of<T: ?Sized>(
    tool: &Tool,
    outcome: Outcome<'_, T>,
    given: &T,
    read: impl Fn() -> Value,
    strict: Option<Value>,
) -> Answer {
    let name = outcome.name();
    match outcome {
        Outcome::Valid(same) if std::ptr::eq(same, given) && strict.is_some() => {
            Answer::new(Kind::Untouched, name, strict)
        }
        Outcome::Valid(_) => Answer::new(Kind::Repaired, name, Some(read())),
        Outcome::Deferred(_) => Answer::new(Kind::Deferred, name, host_runs(tool, &read())),
        Outcome::Repaired { args, .. } => Answer::new(Kind::Repaired, name, Some(args)),
        Outcome::Unrepairable(refusal) => Answer::refused(&refusal),
    }
}

/// What the tool's host executes for `args`.
fn host_runs(tool: &Tool, args: &Value) -> Option<Value> {
    convert(tool.host()?, tool.origin(), tool.schema_document(), args)
}

fn tool_name(case: &Case, host: Option<HostProfile>) -> Result<(Verdict, Value), ScoreError> {
    let remedy = "give `{\"name\": …, \"arguments\": …}` in `input`";
    let parsed = match &case.input {
        CaseInput::Value(call) => Some(call.clone()),
        CaseInput::Raw(text) | CaseInput::Text(text) => serde_json::from_str(text).ok(),
    };
    let call = parsed.ok_or_else(|| fault(case, "holds no call", remedy))?;
    let name = call.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| fault(case, "has no name in its call", remedy))?;
    let args = call.get("arguments").cloned().unwrap_or_default();
    let mut tools = Vec::new();
    for active in case.active_tools() {
        let open = || json!({"type": "object"});
        let schema = case.schema_of(active).cloned().unwrap_or_else(open);
        tools.push(compile(case, active, schema, host)?);
    }
    let registry = Registry::new(tools)
        .map_err(|error| fault(case, &error.to_string(), "name each tool once"))?;
    let outcome = registry.repair_call(name, &args, &context(case)?);
    let answer = call_answer(&registry, outcome, &args);
    Ok((judge(case, &answer, Some(&call)), Value::Object(answer.shown)))
}

/// What the outcome of a whole call amounts to; its value is the call that would run.
fn call_answer(registry: &Registry, call: CallOutcome<'_>, args: &Value) -> Answer {
    let CallOutcome { tool: name, name_changes, outcome } = call;
    let tool = name.and_then(|name| registry.tool(name));
    let (Some(name), Some(tool)) = (name, tool) else {
        return match outcome {
            Outcome::Unrepairable(refusal) => Answer::refused(&refusal),
            accepted => Answer::new(Kind::Repaired, accepted.name(), None),
        };
    };
    let mut answer = answer_of(tool, outcome, args, || args.clone(), Some(args.clone()));
    if answer.kind == Kind::Untouched && !name_changes.is_empty() {
        answer.kind = Kind::Repaired;
    }
    answer.value = answer.value.map(|args| json!({"name": name, "arguments": args}));
    answer.shown.insert("name".into(), name.into());
    answer
}

fn judge(case: &Case, answer: &Answer, input: Option<&Value>) -> Verdict {
    let accepts = |outcome| case.accept.contains(&outcome);
    let expected = case.expected_value.as_ref();
    if answer.kind == Kind::Refused {
        return match case.expect {
            Expect::Unrepairable => Verdict::Right,
            _ if accepts(Expect::Unrepairable) => Verdict::Allowed,
            _ => Verdict::Refused,
        };
    }
    let right = match case.expect {
        Expect::Valid => match answer.kind {
            Kind::Untouched => true,
            Kind::Deferred => answer.runs(expected.or(input)),
            _ => false,
        },
        Expect::Repaired => answer.runs(expected),
        _ => false,
    };
    let allowed = (accepts(Expect::Valid) && answer.kind == Kind::Untouched)
        || (accepts(Expect::Repaired) && answer.runs(case.accept_value.as_ref().or(expected)));
    match (right, allowed) {
        (true, _) => Verdict::Right,
        (false, true) => Verdict::Allowed,
        (false, false) => Verdict::Wrong,
    }
}

/// The expected outcome and the accepted ones, in words.
fn wanted(case: &Case) -> String {
    let name = |expect: Expect| format!("{expect:?}").to_lowercase();
    let value = |value: &Option<Value>| value.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
    let mut text = format!("{}{}", name(case.expect), value(&case.expected_value));
    for accepted in &case.accept {
        text.push_str(" or ");
        text.push_str(&name(*accepted));
        if *accepted == Expect::Repaired {
            text.push_str(&value(&case.accept_value));
        }
    }
    text
}

fn compile(
    case: &Case,
    name: &str,
    schema: Value,
    host: Option<HostProfile>,
) -> Result<Tool, ScoreError> {
    let wrong = |error: engine::ConfigError| {
        fault(case, &format!("names a tool that cannot be compiled: {error}"), "mend its schema")
    };
    let config = builtin::config_for(name, &schema).map_err(wrong)?;
    let own = !config.preprocessors.is_empty();
    let origin = if own { SchemaOrigin::TypeBox } else { SchemaOrigin::Json };
    Tool::compile(ToolSpec { name: name.to_owned(), schema, config, host, origin }).map_err(wrong)
}

fn context(case: &Case) -> Result<Context<'_>, ScoreError> {
    let policy: Policy =
        case.context.policy().parse().map_err(|error: engine::UnknownPolicy| {
            fault(case, &format!("has a policy that is {error}"), "mend `context.policy`")
        })?;
    Ok(Context {
        model: case.model.as_deref(),
        provider: case.context.provider.as_deref(),
        policy,
        stop_reason: StopReason::from_name(case.context.stop_reason()),
        ..Context::default()
    })
}

fn fault(case: &Case, problem: &str, remedy: &'static str) -> ScoreError {
    ScoreError { id: case.id.clone(), problem: problem.to_owned(), remedy }
}
