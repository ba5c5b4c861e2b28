//! Cases for an engine that does not know everything ours does: what it cannot know is left out of them.

use engine::grammar::{FAMILIES, Family, Mode, UnknownTools};
use engine::{Policy, StopReason};
use serde_json::Value;

use super::case::{Block, Case, Intent, Setting};
use crate::conform::{Feature, Hello, Numbers, wire};

/// The families of which the engine claims no spelling.
pub(super) fn unknown(hello: &Hello) -> Vec<&'static str> {
    let knows = |family: &Family| family.spellings.iter().any(|row| hello.knows(family.id, row.id));
    FAMILIES.iter().filter(|family| !knows(family)).map(|family| family.id).collect()
}

/// The case as this engine can be asked it. Where it claims not to know what was printed, it may let it be.
pub(super) fn fit(hello: &Hello, mut case: Case) -> Case {
    let setting = &mut case.setting;
    if !hello.has(Feature::Policies) {
        setting.mode = Some(setting.effective_mode());
        setting.policy = Policy::Adaptive;
    }
    if !hello.has(Feature::Modes) {
        setting.mode = Some(Mode::Recover);
        setting.unknown = UnknownTools::Preserve;
    }
    if !hello.has(Feature::Gates) {
        let Setting { mode, policy, unknown, model, .. } = setting.clone();
        *setting = Setting {
            mode,
            policy,
            unknown,
            model,
            stop_reason: StopReason::Stop,
            ..Setting::default()
        };
    }
    let beyond = |block: &Block| {
        let exact = hello.numbers == Numbers::Exact;
        let holds = |args: &Value| exact || wire::as_doubles(args.clone()).is_some();
        let mut args = block.calls.iter().map(|call| Value::Object(call.arguments.clone()));
        !hello.knows(&block.family, &block.spelling) || !args.all(|args| holds(&args))
    };
    let mut open = case.blocks.iter().filter(|block| !block.shown);
    if case.intent == Intent::All && open.any(beyond) {
        case.intent = Intent::Some;
    }
    case
}
