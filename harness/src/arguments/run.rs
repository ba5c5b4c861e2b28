//! Running a case: compiled tools, what the engine answers, and everything an invariant may look at.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use engine::host::{HostProfile, SchemaOrigin};
use engine::names::EXAMPLE_ALIASES;
use engine::tables::Tables;
use engine::{
    Change, Observation, Outcome, Policy, ReadArguments, Refusal, Registry, Tool, ToolConfig,
    ToolSpec, builtin,
};
use serde_json::{Value, json};

use crate::area::{Seen, Stage};
use crate::arguments::case::Case;
use crate::arguments::elsewhere::Elsewhere;
use crate::arguments::mutants::Plant;
use crate::arguments::subject::{Ask, Found, Own, Subject, answer};
use crate::conform::Remote;
use crate::generate;
use crate::malform::Form;
use crate::oracle::leaves::Supply;
use crate::oracle::reference::{Strict, read_strict};
use crate::oracle::second_validator::SecondValidator;
use crate::subjects;

/// What the engine answered, free of the input it borrowed.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Valid; `same` if the very reference came back.
    Valid {
        /// Whether the answer is the input itself.
        same: bool,
    },
    /// Left to the host; `same` if the very reference came back.
    Deferred {
        /// Whether the answer is the input itself.
        same: bool,
    },
    /// Repaired.
    Repaired {
        /// The arguments.
        args: Value,
        /// What was done.
        changes: Vec<Change>,
        /// What was left undone.
        observations: Vec<Observation>,
    },
    /// Refused.
    Refused(Box<Refusal>),
}

impl Answer {
    /// The outcome's name, as the engine spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Valid { .. } => "valid",
            Self::Deferred { .. } => "deferred",
            Self::Repaired { .. } => "repaired",
            Self::Refused(_) => "unrepairable",
        }
    }

    /// The repaired arguments.
    pub fn args(&self) -> Option<&Value> {
        match self {
            Self::Repaired { args, .. } => Some(args),
            _ => None,
        }
    }

    /// The changes of a repair.
    pub fn changes(&self) -> &[Change] {
        match self {
            Self::Repaired { changes, .. } => changes,
            _ => &[],
        }
    }

    /// The observations of a repair.
    pub fn observations(&self) -> &[Observation] {
        match self {
            Self::Repaired { observations, .. } => observations,
            _ => &[],
        }
    }

    /// The refusal.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    pub(super) fn from_value(outcome: Outcome<'_>, given: &Value) -> Self {
        Self::from_outcome(outcome, |back| std::ptr::eq(back, given))
    }

    pub(super) fn from_text(outcome: Outcome<'_, str>, given: &str) -> Self {
        let whole =
            |back: &str| std::ptr::eq(back.as_ptr(), given.as_ptr()) && back.len() == given.len();
        Self::from_outcome(outcome, whole)
    }

    fn from_outcome<T: ?Sized>(outcome: Outcome<'_, T>, same: impl Fn(&T) -> bool) -> Self {
        match outcome {
            Outcome::Valid(back) => Self::Valid { same: same(back) },
            Outcome::Deferred(back) => Self::Deferred { same: same(back) },
            Outcome::Repaired { args, changes, observations } => {
                Self::Repaired { args, changes, observations }
            }
            Outcome::Unrepairable(refusal) => Self::Refused(Box::new(refusal)),
        }
    }
}

/// A tool of a case: among others with whoever answers, alone, and for the second validator.
#[derive(Debug)]
pub struct Bench {
    subject: Box<dyn Subject>,
    alone: Option<Tool>,
    origin: SchemaOrigin,
    /// The second opinion on validity.
    pub second: SecondValidator,
    /// The configuration as it is meant, without any planted bug.
    pub config: ToolConfig,
}

impl Bench {
    /// The same tool compiled outside of any registry, where there is one. It differs in whether plainly
    /// valid arguments pass at first sight.
    pub fn alone(&self) -> Option<&Tool> {
        self.alone.as_ref()
    }

    /// Whoever answers.
    pub fn subject(&self) -> &dyn Subject {
        &*self.subject
    }
}

/// Compiles tools on given tables, or hands them to an engine elsewhere; pi's own are prepared once.
#[derive(Debug)]
pub struct Workshop {
    plant: Plant,
    /// Whether plainly valid arguments pass at first sight, as in the engine as it is. An altered engine
    /// takes the long way, on which the alteration lies.
    early: bool,
    remote: Option<Arc<Remote>>,
    own: BTreeMap<(String, Option<HostProfile>), Arc<Bench>>,
    pool: BTreeMap<(String, Option<HostProfile>), Arc<Bench>>,
}

impl Workshop {
    /// A workshop for the engine as it is.
    pub fn new() -> Self {
        Self::furnish(Plant::NONE, true)
    }

    /// A workshop for an altered engine.
    ///
    /// # Panics
    ///
    /// If one of pi's own tools cannot be compiled.
    pub fn with(plant: Plant) -> Self {
        Self::furnish(plant, false)
    }

    /// A workshop for an engine elsewhere.
    ///
    /// # Panics
    ///
    /// If the second validator does not take the schema of one of pi's own tools.
    pub fn elsewhere(remote: &Arc<Remote>) -> Self {
        let mut workshop = Self {
            plant: Plant::NONE,
            early: true,
            remote: Some(Arc::clone(remote)),
            own: BTreeMap::new(),
            pool: BTreeMap::new(),
        };
        let names: Vec<String> = builtin::TOOLS.iter().map(|name| (*name).to_owned()).collect();
        for (name, host) in own_tools() {
            let spec = own_spec(name, host);
            let subject = Elsewhere::new(remote, &spec, names.clone());
            let bench = bench(Box::new(subject), None, &spec).expect("pi's schemas compile");
            workshop.own.insert((name.to_owned(), host), Arc::new(bench));
        }
        workshop
    }

    /// Compiles these made-up tools once for all cases, by their names, which no other tool may have.
    ///
    /// # Errors
    ///
    /// As [`Workshop::bench_for`].
    pub fn pooled(mut self, subjects: &[generate::Subject]) -> Result<Self, String> {
        for subject in subjects {
            for host in hosts() {
                let spec = made_up(subject, &subjects::configuration(subject), host)?;
                let bench = self.bench_of(&spec, true)?;
                self.pool.insert((subject.name.clone(), host), bench);
            }
        }
        Ok(self)
    }

    /// The engine elsewhere, if it is one.
    pub fn remote(&self) -> Option<&Arc<Remote>> {
        self.remote.as_ref()
    }

    fn furnish(plant: Plant, early: bool) -> Self {
        let (own, pool) = (BTreeMap::new(), BTreeMap::new());
        let mut workshop = Self { plant, early, remote: None, own, pool };
        for host in hosts() {
            let early = workshop.early;
            let tools = builtin::TOOLS.iter().map(|name| workshop.own_tool(name, host, early));
            let registry = Arc::new(workshop.registry(tools.collect()).expect("names differ"));
            for name in builtin::TOOLS {
                let spec = own_spec(name, host);
                let alone = Some(workshop.own_tool(name, host, !early));
                let subject = Own { registry: Arc::clone(&registry), name: spec.name.clone() };
                let bench = bench(Box::new(subject), alone, &spec);
                let key = ((*name).to_owned(), host);
                workshop.own.insert(key, Arc::new(bench.expect("pi's schemas compile")));
            }
        }
        workshop
    }

    fn own_tool(&self, name: &str, host: Option<HostProfile>, early: bool) -> Tool {
        self.compile(own_spec(name, host), early).expect("pi's tools compile")
    }

    fn compile(&self, spec: ToolSpec, early: bool) -> Result<Tool, String> {
        compile(&self.plant, spec, early)
    }

    fn registry(&self, tools: Vec<Tool>) -> Result<Registry, String> {
        registry(&self.plant, tools)
    }

    /// The bench for a case.
    ///
    /// # Errors
    ///
    /// A made-up schema or configuration that one of the validators or the engine does not take.
    pub fn bench_for(&self, case: &Case) -> Result<Arc<Bench>, String> {
        let Some(config) = &case.config else {
            let key = (case.call.subject.name.clone(), case.host);
            return self
                .own
                .get(&key)
                .cloned()
                .ok_or_else(|| format!("pi has no tool `{}`", key.0));
        };
        if !self.pool.is_empty()
            && let Some(bench) = self.pool.get(&(case.call.subject.name.clone(), case.host))
        {
            return Ok(Arc::clone(bench));
        }
        let spec = made_up(&case.call.subject, config, case.host)?;
        if let Some(remote) = &self.remote {
            let names = vec![DECOY.to_owned(), spec.name.clone()];
            let subject = Elsewhere::new(remote, &spec, names);
            return bench(Box::new(subject), None, &spec).map(Arc::new);
        }
        self.bench_of(&spec, case.salt.is_multiple_of(ALONE_EVERY))
    }

    /// A made-up tool beside another one, and alone if it is wanted twice.
    fn bench_of(&self, spec: &ToolSpec, twice: bool) -> Result<Arc<Bench>, String> {
        let decoy = ToolSpec { name: DECOY.to_owned(), schema: json!(true), ..ToolSpec::default() };
        let alone = if twice { Some(self.compile(spec.clone(), !self.early)?) } else { None };
        let tools = vec![self.compile(spec.clone(), self.early)?, self.compile(decoy, true)?];
        let registry = Arc::new(self.registry(tools)?);
        let subject = Own { registry, name: spec.name.clone() };
        bench(Box::new(subject), alone, spec).map(Arc::new)
    }
}

/// What a made-up tool is compiled from.
fn made_up(
    subject: &generate::Subject,
    config: &Value,
    host: Option<HostProfile>,
) -> Result<ToolSpec, String> {
    Ok(ToolSpec {
        name: subject.name.clone(),
        schema: subject.schema.clone(),
        config: ToolConfig::from_json(config).map_err(|error| error.to_string())?,
        host,
        origin: SchemaOrigin::Json,
    })
}

/// Compiles a tool with a planted bug in it.
pub(crate) fn compile(plant: &Plant, mut spec: ToolSpec, early: bool) -> Result<Tool, String> {
    (plant.config)(&mut spec.config);
    let mut tables = Tables { accept_early: early, ..Tables::default() };
    (plant.tables)(&mut tables);
    Tool::compile_with(spec, tables).map_err(|error| error.to_string())
}

/// The tools of a session, with the aliases of a planted bug.
pub(crate) fn registry(plant: &Plant, tools: Vec<Tool>) -> Result<Registry, String> {
    let registry = Registry::new(tools).map_err(|error| error.to_string())?;
    let aliases = plant.aliases.iter();
    let meant = EXAMPLE_ALIASES.iter().filter(|(_, name)| registry.tool(name).is_some());
    let all: Vec<_> = meant.chain(aliases).collect();
    Ok(all.into_iter().fold(registry, |registry, (alias, name)| registry.with_alias(alias, name)))
}

/// The tool beside a made-up one.
const DECOY: &str = "decoy";

fn hosts() -> impl Iterator<Item = Option<HostProfile>> {
    HostProfile::ALL.map(Some).into_iter().chain([None])
}

fn own_tools() -> impl Iterator<Item = (&'static str, Option<HostProfile>)> {
    hosts().flat_map(|host| builtin::TOOLS.iter().map(move |name| (*name, host)))
}

fn own_spec(name: &str, host: Option<HostProfile>) -> ToolSpec {
    let spec = builtin::spec(name, host).expect("the engine reads its own data");
    spec.expect("the tool is one of pi's")
}

fn bench(subject: Box<dyn Subject>, alone: Option<Tool>, spec: &ToolSpec) -> Result<Bench, String> {
    let second = SecondValidator::compile(&spec.schema)?;
    Ok(Bench { subject, alone, origin: spec.origin, second, config: spec.config.clone() })
}

/// Compiling is most of the cost of a made-up tool, so only one in so many is compiled twice.
const ALONE_EVERY: u32 = 8;

impl Default for Workshop {
    fn default() -> Self {
        Self::new()
    }
}

/// A case with the engine's answer, and what else was asked of the engine on its account.
#[derive(Debug)]
pub struct Run<'a> {
    /// The case.
    pub case: &'a Case,
    /// The compiled tool.
    pub bench: Arc<Bench>,
    /// What the engine answered.
    pub answer: Answer,
    policies: [OnceCell<Answer>; 3],
    start: OnceCell<Option<Value>>,
    twin: OnceCell<Option<Answer>>,
    supply: OnceCell<Supply>,
}

impl<'a> Run<'a> {
    /// Asks the engine.
    pub fn new(case: &'a Case, bench: Arc<Bench>) -> Self {
        let ask = Ask { case, form: &case.call.form, policy: case.policy, hook: case.hook };
        let answer = bench.subject().repair(ask);
        Self {
            case,
            bench,
            answer,
            policies: Default::default(),
            start: OnceCell::new(),
            twin: OnceCell::new(),
            supply: OnceCell::new(),
        }
    }

    /// What a campaign counts: every rule and reason of the answer, and those that led to the tool's name.
    pub fn seen(&self) -> Seen {
        let mut seen = Seen::new(self.answer.name());
        seen.features.clone_from(&self.case.call.applied);
        if let Some(args) = self.answer.args() {
            seen.fold(args.to_string().as_bytes());
        }
        for change in self.answer.changes() {
            seen.reach(change.rule);
            seen.fold(change.pointer.as_str().as_bytes());
        }
        if let Some(refusal) = self.answer.refusal() {
            seen.reach(refusal.reason.id());
            seen.fold(&refusal.fingerprint.to_le_bytes());
        }
        match self.resolve() {
            Some(found) => found.rules.iter().for_each(|rule| seen.reach(rule)),
            None => seen.reach("unknown-tool"),
        }
        seen
    }

    /// The engine's stages on this call, each to be asked again alone.
    pub fn stages(&self) -> Vec<(&'static str, Stage<'_>)> {
        let case = self.case;
        let mut stages: Vec<(&'static str, Stage<'_>)> =
            vec![("find the tool", Box::new(|| drop(black_box(self.resolve()))))];
        if case.config.is_some() {
            stages.push(("compile the tool", Box::new(|| drop(black_box(self.compile())))));
        }
        if let Form::Text(text) = &case.call.form {
            let read = || drop(black_box(self.subject().read(text, case)));
            stages.push(("read the text", Box::new(read)));
        }
        if let Some(tool) = self.bench.alone() {
            let check = || {
                black_box(tool.accepts(&case.call.original));
            };
            stages.push(("ask the schema", Box::new(check)));
        }
        stages.push(("the whole answer", Box::new(|| drop(black_box(self.ask(&case.call.form))))));
        stages
    }

    fn compile(&self) -> Option<Tool> {
        let spec = ToolSpec {
            name: self.case.call.subject.name.clone(),
            schema: self.case.call.subject.schema.clone(),
            config: self.bench.config.clone(),
            host: self.case.host,
            origin: self.bench.origin,
        };
        Tool::compile(spec).ok()
    }

    /// Whoever answered.
    pub fn subject(&self) -> &dyn Subject {
        self.bench.subject()
    }

    /// The tool that the call's name leads to, or none.
    pub fn resolve(&self) -> Option<Found> {
        self.subject().resolve(&self.case.call.name)
    }

    /// What the engine answers to another form of the call, all else being the same.
    pub fn ask(&self, form: &Form) -> Answer {
        self.ask_under(form, self.case.policy)
    }

    fn ask_under(&self, form: &Form, policy: Policy) -> Answer {
        self.subject().repair(Ask { case: self.case, form, policy, hook: self.case.hook })
    }

    /// What the engine makes of a value that no hook has seen.
    pub fn ask_unhooked(&self, value: &Value) -> Answer {
        let form = Form::Value(value.clone());
        let policy = self.case.policy;
        self.subject().repair(Ask { case: self.case, form: &form, policy, hook: false })
    }

    /// What another compilation of the tool answers.
    pub fn ask_tool(&self, tool: &Tool) -> Answer {
        let case = self.case;
        let (form, policy, hook) = (&case.call.form, case.policy, case.hook);
        answer(tool, Ask { case, form, policy, hook })
    }

    /// The answer under a policy.
    pub fn under(&self, policy: Policy) -> &Answer {
        if policy == self.case.policy {
            return &self.answer;
        }
        let slot = match policy {
            Policy::Conservative => 0,
            Policy::Adaptive => 1,
            Policy::Recover => 2,
        };
        self.policies[slot].get_or_init(|| self.ask_under(&self.case.call.form, policy))
    }

    /// What the reader made of the call: the value itself, or what its text says; `None` if it was refused unread.
    pub fn start(&self) -> Option<&Value> {
        let read = || match &self.case.call.form {
            Form::Value(value) => Some(value.clone()),
            Form::Text(text) => match self.read(text) {
                Some(read) => read.ok().map(|read| read.value),
                // Where the reader cannot be asked alone, what is strict says what was read.
                None => self.said_strictly().map(|value| self.subject().spelled(value)),
            },
        };
        self.start.get_or_init(read).as_ref()
    }

    /// Every leaf that the call can supply, by the harness's own reading.
    pub fn supply(&self) -> &Supply {
        self.supply.get_or_init(|| Supply::of(&self.case.call.form))
    }

    /// What the reader alone makes of a text, or why it refuses; `None` if it cannot be asked alone.
    pub fn read(&self, text: &str) -> Option<Result<ReadArguments, Box<Refusal>>> {
        self.subject().read(text, self.case)
    }

    /// The answer to the same call in its other form: a value as its strict text. `None` for texts.
    pub fn twin(&self) -> Option<&Answer> {
        let ask_twin = || match &self.case.call.form {
            Form::Text(_) => None,
            Form::Value(value) => Some(self.ask(&Form::Text(value.to_string()))),
        };
        self.twin.get_or_init(ask_twin).as_ref()
    }

    /// What was sent, where it is a value or the strict text of one and no hook runs in between.
    pub fn sent_strictly(&self) -> Option<Value> {
        if self.case.hook { None } else { self.said_strictly() }
    }

    /// What was sent, where it is a value or the strict text of one.
    pub fn said_strictly(&self) -> Option<Value> {
        match &self.case.call.form {
            Form::Value(value) => Some(value.clone()),
            Form::Text(text) => match read_strict(text) {
                Strict::Value(value) => Some(value),
                Strict::Conflict | Strict::Other => None,
            },
        }
    }

    /// True if nothing excuses a refusal of a call from which nothing was lost.
    pub fn must_be_repaired(&self) -> bool {
        self.case.is_unhindered() && !self.subject().may_refuse(self.case)
    }

    /// True if what was meant was sent, as a value or in strict JSON.
    pub fn is_undamaged(&self) -> bool {
        self.case.call.applied.is_empty()
            && self.sent_strictly().is_some_and(|sent| sent == self.case.call.original)
    }

    /// What the host alone would execute for a value, where there is a host.
    pub fn host_alone(&self, value: &Value) -> Option<Value> {
        let schema = &self.case.call.subject.schema;
        engine::host::convert(self.case.host?, self.bench.origin, schema, value)
    }
}
