//! Every gate alone keeps a call from running, by a list of gates that the harness keeps itself.

use engine::StopReason;
use engine::grammar::{Action, FAMILIES, Family, Handled, Mode, Promoted, State};

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::oracle::around::{has_more, is_surely_mentioned, without};
use crate::leaks::run::Run;
use crate::leaks::tools;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "closed_gates_hold_calls_back",
    says: "Nothing runs but in mode recover, from the assistant, after a normal stop, beside no native call, in a clean message, with nothing behind it and no announcement before it, for an admitted model, to a tool that may be called, with fields of its own.",
    kills: &[
        "admit-any-model",
        "promote-after-any-stop",
        "promote-any-model",
        "promote-beside-native-calls",
        "promote-for-any-role",
        "promote-inactive-tools",
        "promote-mentions",
        "promote-undeclared-fields",
        "promote-with-text-behind",
        "recover-in-any-mode",
        "run-in-unclean-messages",
    ],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let setting = &run.case.setting;
    let message = [
        ("the mode", setting.effective_mode() == Mode::Recover),
        ("the role", setting.assistant),
        ("the stop reason", setting.stop_reason == StopReason::Stop),
        ("a native call", setting.native_calls == 0),
        ("text behind", !has_more(&run.case.texts, &places(run))),
        ("something damaged", run.treatment.leaks.iter().all(|leak| !is_unclean(leak))),
    ];
    let mut closed: Vec<&str> = message.iter().filter(|gate| !gate.1).map(|gate| gate.0).collect();
    for call in &run.treatment.calls {
        let ranges = run.open(call.part);
        let rest = without(&run.case.texts[call.part], ranges.iter());
        if is_surely_mentioned(&rest, &call.range) {
            closed.push("a mention");
        }
        if !setting.permits(&call.tool) {
            closed.push("the tool");
        }
        let family = FAMILIES.iter().find(|family| family.id == call.family);
        if !family.is_some_and(|family| admits(family, setting.model.as_deref())) {
            closed.push("the model");
        }
        if UNQUOTED.contains(&call.family) && !has_own_fields(call) {
            closed.push("an undeclared field");
        }
    }
    if closed.is_empty() && run.treatment.calls.is_empty() {
        return Verdict::Vacuous;
    }
    let kept = closed.is_empty() || run.treatment.calls.is_empty();
    Verdict::require(kept, || format!("calls run against {closed:?}"))
}

/// Where anything was found: what stands behind a call and is none of it is text.
fn places(run: &Run<'_>) -> Vec<(usize, std::ops::Range<usize>)> {
    run.treatment.leaks.iter().map(|leak| (leak.part, leak.range.clone())).collect()
}

/// Families whose values say nothing about themselves, so that an unknown field may be a piece of
/// another's value.
const UNQUOTED: &[&str] = &["qwen", "glm", "invoke", "seed"];

fn has_own_fields(call: &Promoted) -> bool {
    let mut keys = call.args.as_object().into_iter().flat_map(|map| map.keys());
    let tool = tools::subject(&call.tool);
    tool.is_some_and(|tool| keys.all(|key| tools::declares(tool, key)))
}

/// True for a leak that was found outside code and is not whole.
fn is_unclean(leak: &Handled) -> bool {
    leak.state != State::Whole && leak.action >= Action::LeftAlone
}

/// True if the model may run what the family prints: no gate, or a name of the gate begins a word
/// of the model's id.
fn admits(family: &Family, model: Option<&str>) -> bool {
    let model = model.unwrap_or_default().to_ascii_lowercase();
    let begins = |name: &str| {
        let mut found = model.match_indices(name);
        found.any(|(at, _)| !model[..at].ends_with(|before: char| before.is_ascii_alphanumeric()))
    };
    family.gate.is_empty() || family.gate.iter().any(|name| begins(name))
}

/// The same for a printed block.
pub(super) fn is_admitted(block: &Block, model: Option<&str>) -> bool {
    block.family().is_some_and(|family| admits(family, model))
}
