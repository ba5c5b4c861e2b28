//! Runs a peer's calls through this engine and explains every difference by a row of the ledger.

mod evidence;
mod ledger;
mod reading;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use corpus::{PeerOutcome, PeerTool, PeerVerdict};
use engine::host::{HostProfile, SchemaOrigin, convert, edit_hook};
use engine::{
    ConfigError, Context, Outcome, Policy, Tool, ToolConfig, ToolSpec, UnknownPolicy, same_value,
};
use serde_json::{Value, json};

use reading::Reader;

pub use ledger::{Expected, LEDGER, Row};

/// The generation of the host the peer ran on.
const HOST: HostProfile = HostProfile::Pi080;

/// What this engine makes of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Ours {
    /// `valid`, `deferred`, `repaired` or `unrepairable`.
    pub outcome: &'static str,
    /// The reason of a refusal.
    pub reason: Option<&'static str>,
    /// The arguments that run: as given, as the host converts them, or repaired.
    pub args: Option<Value>,
    /// The rules that changed something, in order.
    pub rules: Vec<&'static str>,
}

impl fmt::Display for Ours {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.outcome)?;
        if let Some(reason) = self.reason {
            write!(out, " ({reason})")?;
        }
        if let Some(args) = &self.args {
            write!(out, " {args} by {:?}", self.rules)?;
        }
        Ok(())
    }
}

/// One call on which the two engines differ, with everything a ledger row may look at.
#[derive(Debug)]
pub struct Difference<'a> {
    /// The call and the peer's answer.
    pub peer: &'a PeerOutcome,
    /// Our answer.
    pub ours: &'a Ours,
    /// The tool, as compiled for this engine.
    pub tool: &'a Tool,
    /// The call after the host's own hook.
    pub given: &'a Value,
    /// What the call says, read without the engine.
    pub reading: Value,
}

/// The outcome of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Calls with the same answer.
    pub same: usize,
    /// Differences by the id of their ledger row; every row is present.
    pub deliberate: BTreeMap<&'static str, usize>,
    /// Differences that no row explains.
    pub unexplained: Vec<Unexplained>,
}

/// A difference without a ledger row.
#[derive(Clone, Debug, PartialEq)]
pub struct Unexplained {
    /// The call and the peer's answer.
    pub peer: PeerOutcome,
    /// Our answer.
    pub ours: Ours,
    /// What the call says, read without the engine.
    pub reading: Value,
}

impl Comparison {
    /// The comparison as data, for `--json`.
    pub fn to_json(&self) -> Value {
        json!({
            "same": self.same,
            "deliberate": self.deliberate,
            "unexplained": self.unexplained.len(),
        })
    }
}

/// The outcomes and the tools do not fit together.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CompareError {
    /// A tool cannot be compiled.
    Tool {
        /// The tool.
        name: String,
        /// Why.
        error: ConfigError,
    },
    /// An outcome names a tool that is not there.
    UnknownTool {
        /// The outcome's id.
        id: String,
        /// The tool it names.
        name: String,
    },
    /// An outcome names a policy that is none.
    Policy {
        /// The outcome's id.
        id: String,
        /// What is wrong.
        error: UnknownPolicy,
    },
}

impl fmt::Display for CompareError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool { name, error } => {
                write!(out, "tool `{name}` cannot be compiled: {error}; mend it in the tools file")
            }
            Self::UnknownTool { id, name } => {
                write!(out, "outcome `{id}` names the tool `{name}`; add it to the tools file")
            }
            Self::Policy { id, error } => {
                write!(out, "outcome `{id}` has a policy that is {error}")
            }
        }
    }
}

impl std::error::Error for CompareError {}

/// A tool of the peer, compiled for this engine.
struct Compiled<'a> {
    tool: Tool,
    peer: &'a PeerTool,
}

impl Compiled<'_> {
    /// The call after the host's own hook, where the tool has one.
    fn given(&self, peer: &PeerOutcome) -> Value {
        if self.peer.has_owner_hook { edit_hook(HOST, &peer.input) } else { peer.input.clone() }
    }
}

/// Puts every call to this engine and compares the answers.
///
/// # Errors
///
/// [`CompareError`] for the first tool or outcome that cannot be used.
pub fn compare(outcomes: &[PeerOutcome], tools: &[PeerTool]) -> Result<Comparison, CompareError> {
    let tools = compile_all(tools)?;
    let rows = LEDGER.iter().map(|row| (row.id, 0));
    let mut comparison = Comparison { deliberate: rows.collect(), ..Comparison::default() };
    for peer in outcomes {
        let Some(compiled) = tools.get(peer.tool.as_str()) else {
            let (id, name) = (peer.id.clone(), peer.tool.clone());
            return Err(CompareError::UnknownTool { id, name });
        };
        let policy: Policy = peer
            .policy
            .parse()
            .map_err(|error| CompareError::Policy { id: peer.id.clone(), error })?;
        let given = compiled.given(peer);
        let ours = answer(compiled, peer, &given, policy);
        if is_same(peer, &ours) {
            comparison.same += 1;
            continue;
        }
        let model = peer.model.as_deref();
        let reader =
            Reader { tool: compiled.peer, model, adaptive: policy != Policy::Conservative };
        let reading = reader.read(&given);
        let difference =
            Difference { peer, ours: &ours, tool: &compiled.tool, given: &given, reading };
        if let Some(row) = LEDGER.iter().find(|row| row.explains(&difference)) {
            *comparison.deliberate.entry(row.id).or_default() += 1;
            continue;
        }
        let (peer, reading) = (peer.clone(), difference.reading);
        comparison.unexplained.push(Unexplained { peer, ours, reading });
    }
    Ok(comparison)
}

fn compile_all(tools: &[PeerTool]) -> Result<BTreeMap<&str, Compiled<'_>>, CompareError> {
    let mut compiled = BTreeMap::new();
    for peer in tools {
        let wrong = |error| CompareError::Tool { name: peer.name.clone(), error };
        let entry = json!({"preprocessors": peer.preprocessors, "config": peer.config});
        let spec = ToolSpec {
            name: peer.name.clone(),
            schema: peer.parameters.clone(),
            config: ToolConfig::from_json(&entry).map_err(wrong)?,
            host: Some(HOST),
            origin: SchemaOrigin::TypeBox,
        };
        let tool = Tool::compile(spec).map_err(wrong)?;
        compiled.insert(peer.name.as_str(), Compiled { tool, peer });
    }
    Ok(compiled)
}

/// What this engine makes of the call that the host's own hook left.
fn answer(compiled: &Compiled<'_>, peer: &PeerOutcome, given: &Value, policy: Policy) -> Ours {
    let tool = &compiled.tool;
    let context = Context { model: peer.model.as_deref(), policy, ..Context::default() };
    let hooked = *given != peer.input;
    let mut rules = if hooked { vec!["owner-hook"] } else { Vec::new() };
    let outcome = tool.repair(given, &context);
    // What the hook changed is a repair, whatever is left to do.
    let untouched = if hooked { "repaired" } else { outcome.name() };
    match outcome {
        Outcome::Valid(value) => {
            Ours { outcome: untouched, reason: None, args: Some(value.clone()), rules }
        }
        Outcome::Deferred(value) => {
            let args = convert(HOST, tool.origin(), tool.schema_document(), value);
            Ours { outcome: untouched, reason: None, args, rules }
        }
        Outcome::Repaired { args, changes, .. } => {
            rules.extend(changes.iter().map(|change| change.rule));
            Ours { outcome: "repaired", reason: None, args: Some(args), rules }
        }
        Outcome::Unrepairable(refusal) => Ours {
            outcome: "unrepairable",
            reason: Some(refusal.reason.id()),
            args: None,
            rules: Vec::new(),
        },
    }
}

/// True if both engines say the same; the peer's `valid` covers what we defer to the host.
fn is_same(peer: &PeerOutcome, ours: &Ours) -> bool {
    match peer.outcome {
        PeerVerdict::Valid => matches!(ours.outcome, "valid" | "deferred"),
        PeerVerdict::Repaired => {
            ours.outcome == "repaired"
                && ours.args.as_ref().is_some_and(|args| same_value(args, &peer.args))
        }
        PeerVerdict::Unrepairable => ours.outcome == "unrepairable",
    }
}
