//! Calls through the real engine: what is handed to the host, what the model should hear, what is recorded.

use engine::lifecycle::{Expectations, Feedback};
use engine::telemetry::{Facts, LeakFacts, Record};
use engine::{Change, Context, Outcome, Pointer, Stage};
use serde_json::Value;

use super::Workshop;
use crate::session::case::Case;
use crate::session::case::script::{Call, Entry};
use crate::session::model::{Said, plain};

/// When a session's first call is recorded, in milliseconds since 1970.
const TIME: u64 = 1_700_000_000_000;

/// Between two calls, more than half a day passes in the log.
const APART: u64 = 50_000_000;

/// What became of a call.
#[derive(Clone, Debug)]
pub struct Handled {
    /// The tool as the host names it.
    pub tool: String,
    /// The arguments handed to the host.
    pub prepared: Value,
    /// The arguments that run.
    pub settled: Value,
    /// What is told when its message ends.
    pub announced: Option<(Feedback, Said)>,
    /// What is told when it is prepared.
    pub feedback: Option<(Feedback, Said)>,
    /// Feedback that is there although nothing is to be said, or the other way round.
    pub misjudged: bool,
    /// The records.
    pub records: Vec<Record>,
}

/// Takes every call of a case through the engine.
pub(super) fn handle(workshop: &Workshop, case: &Case) -> Result<Vec<Handled>, String> {
    let calls = case.script.calls.iter().enumerate();
    calls.map(|(place, call)| one(workshop, case, (place, call))).collect()
}

/// The records of a case.
///
/// # Errors
///
/// Arguments that are no JSON.
pub fn records(workshop: &Workshop, case: &Case) -> Result<Vec<Record>, String> {
    let calls = handle(workshop, case)?;
    let all = calls.into_iter().flat_map(|call| call.records);
    Ok(all.chain([advice(workshop, case)]).collect())
}

/// The record of a note about a failed request.
pub(super) fn advice(workshop: &Workshop, case: &Case) -> Record {
    workshop.recorder().advice("overflow", facts(case, 0)).times(3)
}

fn facts(case: &Case, place: usize) -> Facts<'_> {
    let time = TIME + place as u64 * APART;
    Facts { time, model: Some(&case.model), profile: case.policy }
}

fn one(workshop: &Workshop, case: &Case, (place, call): (usize, &Call)) -> Result<Handled, String> {
    let args: Value = serde_json::from_str(&call.args).map_err(|error| error.to_string())?;
    let context = Context { model: Some(&case.model), policy: case.policy, ..Context::default() };
    let registry = workshop.registry();
    let found = registry.repair_call(&call.name, &args, &context);
    let (facts, recorder) = (facts(case, place), workshop.recorder());
    let mut records = vec![recorder.call(registry, &found, facts)];
    let tool = found.tool.unwrap_or(&call.name).to_owned();
    let changes = match &found.outcome {
        Outcome::Repaired { changes, .. } => changes.as_slice(),
        _ => &[],
    };
    let refused = matches!(found.outcome, Outcome::Unrepairable(_));
    let names = found.name_changes.as_slice();
    let mut misjudged = false;
    let mut feedback = |changes: &[&Change], mark: &str| {
        let told = told(changes, call.strict, mark);
        let expectations = Expectations { nulls_for_optionals: call.strict };
        let real = Feedback::from_changes(changes.iter().copied(), expectations);
        misjudged |= real.is_some() != told.is_some();
        told
    };
    let (announced, own) = match call.entry {
        _ if refused => (None, None),
        Entry::Plain => {
            let all: Vec<&Change> = names.iter().chain(changes).collect();
            (None, feedback(&all, &format!("p{place}")))
        }
        Entry::Renamed => {
            let renamed = feedback(&names.iter().collect::<Vec<_>>(), &format!("a{place}"));
            (renamed, feedback(&changes.iter().collect::<Vec<_>>(), &format!("p{place}")))
        }
        Entry::Promoted(family) => {
            let said = Said { marks: Vec::new(), rules: vec!["leak.promote"] };
            let announced = Some((Feedback::promoted(&tool, family), said));
            (announced, feedback(&changes.iter().collect::<Vec<_>>(), &format!("p{place}")))
        }
    };
    if let Entry::Promoted(family) = call.entry {
        let action = if refused { "preserved" } else { "promoted" };
        let reason = refused.then_some("unknown-tool");
        let leak = LeakFacts { family, action, reason, tool: Some(&call.name) };
        records.push(recorder.leak(registry, leak, facts));
    }
    let whole = Feedback::from_call(&found, Expectations { nulls_for_optionals: call.strict });
    misjudged |= call.entry == Entry::Plain && whole.is_some() != own.is_some();
    let prepared = match found.outcome {
        Outcome::Repaired { args, .. } => args,
        Outcome::Valid(args) | Outcome::Deferred(args) => args.clone(),
        Outcome::Unrepairable(_) => args.clone(),
    };
    let settled = plain(&prepared);
    Ok(Handled { tool, prepared, settled, announced, feedback: own, misjudged, records })
}

/// What is told of `changes`, with a mark that no other feedback has; `None` if there is nothing to tell.
fn told(changes: &[&Change], strict: bool, mark: &str) -> Option<(Feedback, Said)> {
    let asked_for = |change: &&&Change| strict && change.rule == "schema.drop-null";
    let heard: Vec<&Change> = changes.iter().filter(|change| !asked_for(change)).copied().collect();
    if heard.is_empty() {
        return None;
    }
    let first = Change {
        rule: "harness.mark",
        stage: Stage::Repair,
        pointer: Pointer::root(),
        operations: Vec::new(),
        note: format!("[{mark}]"),
    };
    let mut rules = vec![first.rule];
    for change in heard {
        if !rules.contains(&change.rule) {
            rules.push(change.rule);
        }
    }
    let expectations = Expectations { nulls_for_optionals: strict };
    let all = [&first].into_iter().chain(changes.iter().copied());
    let feedback = Feedback::from_changes(all, expectations)?;
    Some((feedback, Said { marks: vec![format!("[{mark}]")], rules }))
}
