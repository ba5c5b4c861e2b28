//! What can be proven is done.

use engine::StopReason;
use engine::grammar::Mode;
use serde_json::Value;

use super::closed_gates_hold_calls_back::is_admitted;
use super::{Invariant, Verdict};
use crate::leaks::case::{Block, Call, Intent};
use crate::leaks::oracle::around::{has_more, may_be_mentioned, without};
use crate::leaks::run::Run;
use crate::leaks::tools;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "calm_calls_are_recovered",
    says: "Where no gate is closed, no text follows and no value holds markers, exactly the printed calls run.",
    kills: &["forget-a-family", "trim-values"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let blocks: Vec<&Block> = run.case.blocks.iter().filter(|block| !block.shown).collect();
    let calls: Vec<&Call> = blocks.iter().flat_map(|block| &block.calls).collect();
    if run.case.intent != Intent::All || calls.is_empty() || !is_open(run, &blocks, &calls) {
        return Verdict::Vacuous;
    }
    let got = &run.treatment.calls;
    let same = calls.len() == got.len()
        && calls.iter().zip(got).all(|(call, got)| run.is_meant(call, got));
    Verdict::require(same, || {
        let shown: Vec<_> = got.iter().map(|call| format!("{} {}", call.tool, call.args)).collect();
        format!("{} of {} calls run: {shown:?}", got.len(), calls.len())
    })
}

/// True if nothing at all stands against the calls.
fn is_open(run: &Run<'_>, blocks: &[&Block], calls: &[&Call]) -> bool {
    let setting = &run.case.setting;
    let taken = |call: &&Call| {
        let tool = tools::subject(&call.name);
        let named = |key: &String| tool.is_some_and(|tool| tools::declares(tool, key));
        let args = Value::Object(call.arguments.clone());
        // An engine that does not know how a tool is configured may refuse what takes that to be right.
        let plain = run.workshop.tools.complaint(&call.name, &args).is_none();
        setting.permits(&call.name)
            && (plain || run.heeds_configuration())
            && call.arguments.keys().all(named)
            && run.as_native(call).is_some()
    };
    let places: Vec<_> = blocks.iter().map(|block| (block.part, block.range.clone())).collect();
    let mentioned = |block: &&Block| {
        let here = places.iter().filter(|(part, _)| *part == block.part);
        let rest = without(&run.case.texts[block.part], here.map(|(_, range)| range));
        may_be_mentioned(&rest, &block.range)
    };
    setting.effective_mode() == Mode::Recover
        && !has_more(&run.case.texts, &places)
        && !blocks.iter().any(mentioned)
        && setting.assistant
        && setting.stop_reason == StopReason::Stop
        && setting.native_calls == 0
        && blocks.iter().all(|block| is_admitted(block, setting.model.as_deref()))
        && calls.iter().enumerate().all(|(at, call)| !calls[at + 1..].contains(call))
        && calls.iter().all(taken)
}
