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
        ("text behind", !run.tells() || !has_more(&run.case.texts, &places(run))),
        ("something damaged", run.treatment.leaks.iter().all(|leak| !is_unclean(leak))),
    ];
    let mut closed: Vec<&str> = message.iter().filter(|gate| !gate.1).map(|gate| gate.0).collect();
    for call in &run.treatment.calls {
        if !setting.permits(&call.tool) || tools::subject(&call.tool).is_none() {
            closed.push("the tool");
        }
        let gates = if run.tells() { told(run, call) } else { untold(run, call) };
        closed.extend(gates.into_iter().filter(|gate| gate.1).map(|gate| gate.0));
    }
    if closed.is_empty() && run.treatment.calls.is_empty() {
        return Verdict::Vacuous;
    }
    let kept = closed.is_empty() || run.treatment.calls.is_empty();
    Verdict::require(kept, || format!("calls run against {closed:?}"))
}

/// A gate, and whether it is closed.
type Gate = (&'static str, bool);

/// The gates of one call, by where the engine says that it stood.
fn told(run: &Run<'_>, call: &Promoted) -> Vec<Gate> {
    let rest = without(&run.case.texts[call.part], run.open(call.part).iter());
    let family = FAMILIES.iter().find(|family| family.id == call.family);
    let model = run.case.setting.model.as_deref();
    let admitted = family.is_some_and(|family| admits(family, model)) || !run.heeds_gates();
    vec![
        ("a mention", is_surely_mentioned(&rest, &call.range)),
        ("the model", !admitted),
        ("an undeclared field", UNQUOTED.contains(&call.family) && !has_own_fields(call)),
    ]
}

/// The same by the blocks that print it: closed where it is for each of them.
fn untold(run: &Run<'_>, call: &Promoted) -> Vec<Gate> {
    let printers = run.printers(call);
    if printers.is_empty() || printers.iter().any(|block| !block.calm || block.shown) {
        return Vec::new();
    }
    let model = run.case.setting.model.as_deref();
    let all = |closed: &dyn Fn(&Block) -> bool| printers.iter().all(|block| closed(block));
    let unquoted = |block: &Block| UNQUOTED.contains(&block.family.as_str());
    vec![
        ("text behind", all(&|block| run.has_text_behind(block))),
        ("a mention", all(&|block| run.surely_mentions(block))),
        ("the model", run.heeds_gates() && all(&|block| !is_admitted(block, model))),
        ("an undeclared field", all(&unquoted) && !has_own_fields(call)),
    ]
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
