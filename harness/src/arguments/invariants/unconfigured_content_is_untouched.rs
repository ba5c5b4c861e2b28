//! Nothing is edited that is neither configured nor rejected.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use engine::preprocess::Preprocessor;
use engine::{Change, Operation, Pointer, Stage, replay};
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "unconfigured_content_is_untouched",
    says: "A preprocessor edits configured places only, and a rule edits only what the schema rejects at that moment.",
    kills: &["trim-everything", "alias-of-everything"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let changes = run.answer.changes();
    if !changes.iter().any(|change| !change.operations.is_empty()) {
        return Verdict::Vacuous;
    }
    let Some(mut value) = run.start().cloned() else { return Verdict::Vacuous };
    for change in changes.iter().filter(|change| !change.operations.is_empty()) {
        let fault = match change.stage {
            Stage::Preprocess if !is_configured(run, change) => "is not configured there",
            Stage::Repair if is_uncalled_for(run, change, &value) => {
                "edits what the schema accepts"
            }
            _ => "",
        };
        if !fault.is_empty() {
            return Verdict::Broken(format!("`{}` at `{}` {fault}", change.rule, change.pointer));
        }
        if replay_into(&mut value, change).is_none() {
            return Verdict::Vacuous;
        }
    }
    Verdict::Holds
}

fn replay_into(value: &mut Value, change: &Change) -> Option<()> {
    let taken = std::mem::take(value);
    *value = replay(taken, std::slice::from_ref(change)).ok()?;
    Some(())
}

/// True for a rule at work on arguments that already fit; only a wrapper may be taken off those.
fn is_uncalled_for(run: &Run<'_>, change: &Change, value: &Value) -> bool {
    change.rule != "envelope.unwrap-arguments" && run.bench.second.accepts(value)
}

/// True if an entry of the configuration names the change's kind and place, and every name it moves.
fn is_configured(run: &Run<'_>, change: &Change) -> bool {
    let everywhere = change.rule == "preprocess.strip-key-tokens";
    let named = |entry: &Preprocessor| {
        let moves = change.operations.iter().all(|operation| match operation {
            Operation::Move { from, .. } => from
                .segments()
                .last()
                .is_some_and(|name| entry.kind.name != "alias" || entry.aliases.contains(&name)),
            _ => true,
        });
        entry.kind.rule == change.rule && moves && selects(entry.selector.as_str(), &change.pointer)
    };
    everywhere || run.bench.config.preprocessors.iter().any(named)
}

/// Whether a selector names a place, segment by segment; `*` stands for a number.
fn selects(selector: &str, pointer: &Pointer) -> bool {
    let wanted: Vec<&str> = selector.split('/').skip(1).collect();
    let found: Vec<&str> = pointer.as_str().split('/').skip(1).collect();
    wanted.len() == found.len()
        && wanted
            .iter()
            .zip(found)
            .all(|(want, got)| *want == got || (*want == "*" && got.parse::<usize>().is_ok()))
}
