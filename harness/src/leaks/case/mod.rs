//! One leak case: a message, the blocks that were put into it, and its circumstances.

pub mod damage;
pub mod draw;
pub mod file;
pub mod place;
pub mod values;

use std::ops::Range;

use engine::grammar::{FAMILIES, Family, Mode, Printed, UnknownTools};
use engine::{Context, Limits, Policy, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::tools;

/// A call that was printed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name, or a stranger's.
    pub name: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
}

/// A block that was put into a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Which text.
    pub part: usize,
    /// Its bytes there, with what a protection put between its lines.
    pub range: Range<usize>,
    /// The family's id.
    pub family: String,
    /// The spelling's id.
    pub spelling: String,
    /// The calls.
    pub calls: Vec<Call>,
    /// True if it stands in code or in a quotation.
    pub shown: bool,
    /// The kind of damage done to it; empty for none.
    pub damage: String,
    /// True if it is a block even inside a sentence, and no value holds anything that could be syntax.
    pub calm: bool,
}

impl Block {
    /// The family.
    pub fn family(&self) -> Option<&'static Family> {
        FAMILIES.iter().find(|family| family.id == self.family)
    }

    /// The calls as a family prints them.
    pub fn printed(&self) -> Vec<Printed<'_>> {
        let calls = self.calls.iter();
        calls.map(|call| Printed { name: &call.name, arguments: &call.arguments }).collect()
    }

    /// True if each call is to a tool that there is.
    pub fn is_known(&self) -> bool {
        self.calls.iter().all(|call| tools::subject(&call.name).is_some())
    }
}

/// What surrounds a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The configured mode; `None` follows the policy.
    pub mode: Option<Mode>,
    /// The policy.
    pub policy: Policy,
    /// What is done about blocks of unknown tools.
    pub unknown: UnknownTools,
    /// Whether [`ALLOWED`] may be called although they are not active.
    pub allows: bool,
    /// Whether the assistant wrote the message.
    pub assistant: bool,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// How many native calls the message holds.
    pub native_calls: usize,
    /// The active tools; `None` for all.
    pub active: Option<Vec<String>>,
    /// The model.
    pub model: Option<String>,
}

/// Tools that some settings allow to be called although they are not active.
pub const ALLOWED: &[&str] = &["bash", "get_forecast"];

impl Default for Setting {
    fn default() -> Self {
        Self {
            mode: Some(Mode::Recover),
            policy: Policy::Adaptive,
            unknown: UnknownTools::Preserve,
            allows: false,
            assistant: true,
            stop_reason: StopReason::Stop,
            native_calls: 0,
            active: None,
            model: None,
        }
    }
}

impl Setting {
    /// What the engine is told beside the message.
    pub fn context(&self) -> Context<'_> {
        Context {
            model: self.model.as_deref(),
            provider: None,
            policy: self.policy,
            stop_reason: self.stop_reason,
            limits: Limits::DEFAULT,
        }
    }

    /// The mode that must apply.
    pub fn effective_mode(&self) -> Mode {
        self.mode.unwrap_or(match self.policy {
            Policy::Conservative => Mode::Observe,
            Policy::Adaptive => Mode::Strip,
            Policy::Recover => Mode::Recover,
        })
    }

    /// True if a tool of this name may be called.
    pub fn permits(&self, name: &str) -> bool {
        let active = self.active.as_ref().is_none_or(|active| active.iter().any(|it| it == name));
        active || (self.allows && ALLOWED.contains(&name))
    }
}

/// What is known of the calls that may run.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// All calls of all blocks outside code, if the settings let them.
    All,
    /// Some of the calls of blocks outside code, or none; never another.
    Some,
    /// Whatever the message can be read as: it was damaged in a way that data may look like.
    Unknown,
}

/// A message and its circumstances.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The texts of the message.
    pub texts: Vec<String>,
    /// What was put into them, in order.
    pub blocks: Vec<Block>,
    /// Ranges that are code or quotation and hold markers but no block, with their text.
    pub mentions: Vec<(usize, Range<usize>)>,
    /// What is known of the calls that may run.
    pub intent: Intent,
    /// The circumstances.
    pub setting: Setting,
}

impl Case {
    /// The ranges of a text that are code or quotation by construction, up to the first place where
    /// something damaged may own what follows.
    pub fn protected(&self, part: usize) -> impl Iterator<Item = Range<usize>> {
        let here = self.blocks.iter().filter(move |block| block.part == part);
        let spoiled = here.clone().filter(|block| !block.shown && block.may_own_more());
        let floor = spoiled.map(|block| block.range.start).min().unwrap_or(usize::MAX);
        let shown = here.filter(|block| block.shown).map(|block| block.range.clone());
        let mentions = self.mentions.iter().filter(move |mention| mention.0 == part);
        let ranges = shown.chain(mentions.map(|mention| mention.1.clone()));
        ranges.filter(move |range| range.end <= floor)
    }
}

impl Block {
    /// True if it may reach further than it was printed: it is damaged, or what its values hold is found in
    /// place of it where its format counts only in certain places.
    pub fn may_own_more(&self) -> bool {
        let placed = |family: &Family| family.whole_message || !family.gate.is_empty();
        !self.is_sound() || !self.calm && self.family().is_some_and(placed)
    }

    /// True if nothing was done to it, so that it ends where it was printed to end.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}
