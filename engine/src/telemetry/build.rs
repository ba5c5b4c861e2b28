//! Builds records from outcomes; what may be named is decided here and nowhere else.

use super::ident::fnv1a;
use super::record::{Channel, LIST_MAX, Record};
use super::rotate::Rotation;
use super::tables::Tables;
use crate::{CallOutcome, Change, Outcome, Policy, Registry, Tool};

/// What every record says beside what happened.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// Milliseconds since 1970.
    pub time: u64,
    /// The model's id as the host names it; recorded as [`super::model_name`] has it.
    pub model: Option<&'f str>,
    /// The policy in force.
    pub profile: Policy,
}

/// What became of a call that stood in text. Ids only: there is no room for the text.
#[derive(Clone, Copy, Debug)]
pub struct LeakFacts<'l> {
    /// The notation, an id of the grammar's table.
    pub family: &'static str,
    /// What was done: `observed`, `stripped`, `promoted` or `preserved`.
    pub action: &'static str,
    /// Why it was not promoted, where that was possible.
    pub reason: Option<&'static str>,
    /// The tool as the text names it; recorded only if it is registered.
    pub tool: Option<&'l str>,
}

/// Builds records.
///
/// # Examples
///
/// ```
/// use engine::telemetry::{Facts, Recorder};
/// use engine::{Context, Policy, Registry, Tool, ToolSpec};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"limit": {"type": "number"}}});
/// let tool = Tool::compile(ToolSpec { name: "ls".into(), schema, ..ToolSpec::default() })?;
/// let registry = Registry::new([tool])?;
/// let args = json!({"limit": null});
/// let call = registry.repair_call("LS", &args, &Context::default());
/// let facts = Facts { time: 7, model: Some("glm-4.6"), profile: Policy::Adaptive };
/// let line = Recorder::default().call(&registry, &call, facts).to_line();
/// assert!(line.starts_with(r#"{"v":1,"time":7,"channel":"tool","tool":"ls","model":"glm-4.6""#));
/// # Ok::<(), engine::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    tables: Tables,
}

impl Recorder {
    /// A recorder on altered steps, to plant a bug.
    #[doc(hidden)]
    pub fn planted(tables: Tables) -> Self {
        Self { tables }
    }

    /// The record of a whole call.
    pub fn call(&self, registry: &Registry, call: &CallOutcome<'_>, facts: Facts<'_>) -> Record {
        let tool = call.tool.and_then(|name| registry.tool(name));
        self.record(tool, &call.name_changes, &call.outcome, facts)
    }

    /// The record of arguments, value or text, whose tool is known.
    pub fn outcome<T: ?Sized>(
        &self,
        tool: &Tool,
        outcome: &Outcome<'_, T>,
        facts: Facts<'_>,
    ) -> Record {
        self.record(Some(tool), &[], outcome, facts)
    }

    /// The record of a call that stood in text.
    pub fn leak(&self, registry: &Registry, leak: LeakFacts<'_>, facts: Facts<'_>) -> Record {
        let mut record = self.begin(Channel::Message, leak.action, facts);
        record.tool = leak.tool.map(|name| (self.tables.name_tool)(registry, name));
        record.family = Some((self.tables.keep)(leak.family));
        record.reason = leak.reason.map(self.tables.keep);
        record.stages = vec!["grammar".to_owned()];
        record
    }

    /// The record of a note about a failed request; `class` is an id of the advisor's table.
    pub fn advice(&self, class: &'static str, facts: Facts<'_>) -> Record {
        let mut record = self.begin(Channel::Advisor, "noted", facts);
        record.class = Some((self.tables.keep)(class));
        record
    }

    /// The byte from which a log is kept, as [`super::rotate`] has it.
    pub fn rotate(&self, log: &[u8], limits: Rotation) -> Option<usize> {
        (self.tables.rotate)(log, limits)
    }

    fn begin(&self, channel: Channel, outcome: &str, facts: Facts<'_>) -> Record {
        let mut record = Record::new(facts.time, channel, &(self.tables.keep)(outcome));
        record.model = facts.model.map(self.tables.name_model);
        record.profile = Some(facts.profile);
        record
    }

    fn record<T: ?Sized>(
        &self,
        tool: Option<&Tool>,
        name_changes: &[Change],
        outcome: &Outcome<'_, T>,
        facts: Facts<'_>,
    ) -> Record {
        let mut record = self.begin(Channel::Tool, outcome.name(), facts);
        record.tool = Some((self.tables.name_registered)(tool, outcome_tool(outcome)));
        let changes = match outcome {
            Outcome::Repaired { changes, .. } => changes.as_slice(),
            _ => &[],
        };
        for change in name_changes.iter().chain(changes) {
            push(&mut record.stages, change.stage.name().to_owned());
            push(&mut record.rules, change.rule.to_owned());
            if let Some(tool) = tool.filter(|_| !change.pointer.is_root()) {
                push(&mut record.places, (self.tables.name_place)(tool, &change.pointer));
            }
        }
        match outcome {
            Outcome::Unrepairable(refusal) => {
                record.reason = Some(refusal.reason.id().to_owned());
                for issue in &refusal.issues {
                    if let Some(tool) = tool.filter(|_| !issue.pointer.is_root()) {
                        push(&mut record.places, (self.tables.name_place)(tool, &issue.pointer));
                    }
                }
                let covers = self.tables.fingerprint;
                record.fingerprint =
                    Some(covers(tool.is_some(), refusal.fingerprint, shape(&record)));
            }
            Outcome::Repaired { observations, .. } => {
                for seen in observations {
                    push(&mut record.observed, seen.rule.to_owned());
                }
                record.fingerprint = Some(shape(&record));
            }
            Outcome::Valid(_) | Outcome::Deferred(_) => {}
        }
        record
    }
}

/// The name as the call had it, where the outcome still says.
fn outcome_tool<'o, T: ?Sized>(outcome: &'o Outcome<'_, T>) -> &'o str {
    match outcome {
        Outcome::Unrepairable(refusal) => &refusal.tool,
        _ => "",
    }
}

/// The fingerprint of what a record says beside time and model.
fn shape(record: &Record) -> u64 {
    let head = [record.tool.as_deref(), Some(record.outcome.as_str()), record.reason.as_deref()];
    let lists = record.rules.iter().chain(&record.places).map(String::as_str);
    fnv1a(head.into_iter().map(Option::unwrap_or_default).chain(lists))
}

fn push(list: &mut Vec<String>, item: String) {
    if list.len() < LIST_MAX && !list.contains(&item) {
        list.push(item);
    }
}

/// How a tool that was found is named; the name that was sent is not used.
pub(super) fn name_registered(tool: Option<&Tool>, _sent: &str) -> String {
    tool.map_or_else(
        || super::ident::UNKNOWN.to_owned(),
        |tool| super::ident::plain_or_other(tool.name()),
    )
}

/// How a tool that a text names is named.
pub(super) fn name_tool(registry: &Registry, name: &str) -> String {
    name_registered(registry.tool(name), name)
}

/// The fingerprint of a refusal. Its own covers the name as it was sent, which is no tool's name
/// where the tool is not known.
pub(super) fn fingerprint(known: bool, own: u64, shape: u64) -> u64 {
    if known { own } else { shape }
}

/// How a place is named: segments that the schema declares, and `*`.
pub(super) fn name_place(tool: &Tool, pointer: &crate::Pointer) -> String {
    super::ident::plain_place(&crate::refusal::redacted(&tool.schema().root(), pointer))
}

/// An id of one of our tables; made safe all the same, it may come from a caller's own.
pub(super) fn keep(id: &str) -> String {
    super::ident::plain_or_other(id)
}
