//! One case of a session: what a host reports, the log that comes of it, and a settings file.

pub mod file;
pub mod log;
mod regression;
pub mod script;

use engine::Policy;
use engine::lifecycle::Bounds;

use crate::source::{Choose, Source};
use file::File;
use log::Log;
use script::Script;

/// Begins every planted text; neither the engine's tables nor a number in hexadecimal hold it.
pub const CANARY: &str = "zq";

/// What stands in place of [`CANARY`] where a case is made again with other planted texts.
pub const OTHER_CANARY: &str = "zv";

/// Ids of models, most with something planted in them.
const MODELS: &[&str] = &[
    "zai/glm-4.6",
    "zai/glm-4.6-zqmodel",
    "zqmodel",
    "/home/zqmodel/models/zqmodel-7b.gguf",
    "us.anthropic.zqmodel.claude-sonnet-4-5-20250929-v1:0",
    "C:\\zqmodel\\qwen3-zqmodel-coder",
    "gpt-4o-zqmodel\n{\"v\":1}",
    "ключ/zqmodel",
];

/// Small caps and ages, so that a short session meets them.
const TIGHT: Bounds =
    Bounds { pending_max: 2, bound_max: 2, pending_ms_max: 100, bound_ms_max: 1000 };

/// A session, a log and a settings file; a drawn case has either the first two or the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Caps and ages of the lifecycle.
    pub bounds: Bounds,
    /// The model's id as the host names it.
    pub model: String,
    /// The policy in force.
    pub policy: Policy,
    /// What the host reports.
    pub script: Script,
    /// The log, made of the records of the script's calls; `None` for a case about settings.
    pub log: Option<Log>,
    /// The settings file; `None` for a case about a session.
    pub file: Option<File>,
}

/// What the cases of a batch are like. Chances are counted in sixteenths.
#[derive(Clone, Copy, Debug)]
pub struct Bias {
    /// Cases about settings.
    pub settings: u32,
    /// Calls of a message, at most.
    pub calls_max: u32,
    /// Messages of a session, at most.
    pub messages_max: u32,
    /// Small caps and ages.
    pub tight: u32,
    /// Hosts that do not say which call they prepare.
    pub unnamed: u32,
    /// Calls that come to nothing.
    pub failing: u32,
    /// Calls by other tools.
    pub nested: u32,
    /// Calls that are alike once they are repaired.
    pub alike: u32,
    /// Ids that come again.
    pub reused: u32,
    /// Long waits, and a clock that goes back.
    pub clock: u32,
    /// Damage in logs.
    pub damage: u32,
}

impl Bias {
    /// Everything, with some of it switched off: rare combinations meet where the rest stays away.
    pub fn swarm(source: &mut dyn Source) -> Self {
        let mut bias = Self {
            settings: 6,
            calls_max: source.range(1, 4),
            messages_max: source.range(1, 2),
            tight: 4,
            unnamed: 6,
            failing: 4,
            nested: 7,
            alike: 7,
            reused: 4,
            clock: 1,
            damage: 8,
        };
        for knob in [
            &mut bias.tight,
            &mut bias.unnamed,
            &mut bias.failing,
            &mut bias.nested,
            &mut bias.alike,
            &mut bias.reused,
            &mut bias.clock,
        ] {
            if source.chance(1, 3) {
                *knob = 0;
            }
        }
        bias
    }
}

/// Everything that goes into a case, by name.
pub fn features() -> Vec<&'static str> {
    script::features().chain(log::features()).chain(file::FEATURES.iter().copied()).collect()
}

impl Case {
    /// Draws a case; the same choices give the same case.
    pub fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let mut case = Self::empty();
        if source.chance(bias.settings, 16) {
            case.file = Some(File::draw(source));
            return case;
        }
        (*source.pick(MODELS)).clone_into(&mut case.model);
        case.policy = *source.pick(&[Policy::Adaptive, Policy::Conservative, Policy::Recover]);
        if source.chance(bias.tight, 16) {
            case.bounds = TIGHT;
        }
        // The log first: a case about one shrinks by the end of its choices.
        case.log = Some(Log::draw(source, bias));
        case.script = Script::draw(source, bias);
        case
    }

    /// A case in which nothing happens.
    fn empty() -> Self {
        Self {
            bounds: Bounds::DEFAULT,
            model: MODELS[0].to_owned(),
            policy: Policy::default(),
            script: Script::default(),
            log: None,
            file: None,
        }
    }

    /// The same case with other planted texts of the same length.
    #[must_use]
    pub fn with_other_canaries(&self) -> Self {
        let mut case = self.clone();
        let other = |text: &str| text.replace(CANARY, OTHER_CANARY);
        case.model = other(&case.model);
        for call in &mut case.script.calls {
            call.name = other(&call.name);
            call.args = other(&call.args);
        }
        case
    }
}
