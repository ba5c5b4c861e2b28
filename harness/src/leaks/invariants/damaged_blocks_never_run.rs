//! Damage never runs.

use engine::grammar::{Action, FAMILIES, State};

use super::{Invariant, Verdict};
use crate::leaks::case::{Block, Intent};
use crate::leaks::run::Run;
use crate::leaks::seen::{dense, is_unbound};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "damaged_blocks_never_run",
    says: "A block runs only if it is whole, in a spelling that its family lists.",
    kills: &["run-damaged-blocks"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return unrun(run);
    }
    let mut verdict = Verdict::Vacuous;
    for leak in run.treatment.leaks.iter().filter(|leak| leak.state != State::Whole) {
        if leak.action == Action::Promoted || !leak.spelling.is_empty() {
            let state = leak.state.name();
            return Verdict::Broken(format!("{:?} runs although it is {state}", leak.range));
        }
        verdict = Verdict::Holds;
    }
    for call in &run.treatment.calls {
        let family = FAMILIES.iter().find(|family| family.id == call.family);
        let mut spellings = family.into_iter().flat_map(|family| family.spellings);
        if call.spelling.is_empty() && run.workshop.hello().is_some() {
            // An engine elsewhere need not know how spellings are called.
            continue;
        }
        if !spellings.any(|row| row.id == call.spelling) {
            let says = format!("{} lists no spelling `{}`", call.family, call.spelling);
            return Verdict::Broken(says);
        }
    }
    verdict
}

/// No call runs that damaged blocks alone print, unless what is left of one is a spelling that a family lists.
fn unrun(run: &Run<'_>) -> Verdict {
    if run.case.intent == Intent::Unknown {
        return Verdict::Vacuous;
    }
    let mut verdict = Verdict::Vacuous;
    for call in &run.treatment.calls {
        let printers = run.printers(call);
        if printers.is_empty()
            || printers.iter().any(|block| block.is_sound() || is_listed(run, block))
        {
            continue;
        }
        return Verdict::Broken(format!("{} runs out of a damaged block", call.tool));
    }
    if run.printed().any(|block| !block.is_sound() && !block.calls.is_empty()) {
        verdict = Verdict::Holds;
    }
    verdict
}

/// Damage that stands around a block which is sound within, or says nothing new.
const HARMLESS: &[&str] = &["wrapped", "surplus-closer", "marker-doubled"];

/// True if what stands there is no damage to every reader: it is sound within, it was an odd spelling before, one
/// of several calls side by side may be whole, or some family prints these calls so, white space aside.
fn is_listed(run: &Run<'_>, block: &Block) -> bool {
    let stands = dense(&run.case.texts[block.part][block.range.clone()]);
    let calls = block.printed();
    let mut rows = FAMILIES
        .iter()
        .flat_map(|family| family.spellings.iter().map(move |row| (family.render, row.id)));
    block.spelling != "canonical"
        || HARMLESS.contains(&block.damage.as_str())
        || calls.len() > 1 && is_unbound(block)
        || rows.any(|(render, id)| render(&calls, id).is_some_and(|text| dense(&text) == stands))
}
