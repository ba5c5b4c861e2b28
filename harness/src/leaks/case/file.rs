//! A leak case as a regression file, and back; and what a file says the answer must be.

use engine::grammar::{MODES, Mode, UnknownTools};
use engine::{Policy, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Block, Call, Case, Intent, Setting};
use crate::area::Sample;

/// One file of `corpus/data/regressions/leaks/`.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// What went wrong.
    why: String,
    /// Where it was seen.
    found: String,
    /// The texts of the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<String>,
    /// JSON text of a recipe of one text, in place of `texts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_recipe: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_tools: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    allows: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    native_calls: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    active: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// JSON text of the list of calls that must run, or of several such lists that are right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<String>,
    /// The texts that must be left.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intent: Option<Intent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<[usize; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<StoredBlock>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StoredBlock {
    part: usize,
    start: usize,
    end: usize,
    family: String,
    spelling: String,
    /// JSON text of the calls.
    calls: String,
    shown: bool,
    damage: String,
    calm: bool,
}

/// What a file wants beside the promises.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The lists of calls that are right; empty if that is not fixed.
    pub calls: Vec<Vec<Call>>,
    /// The texts that must be left.
    pub left: Option<Vec<String>>,
}

impl Sample for Case {
    fn input(&self) -> String {
        self.texts.join("\n-----\n")
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        let setting = &self.setting;
        let file = File {
            why: why.to_owned(),
            found: found.to_owned(),
            texts: self.texts.clone(),
            mode: setting.mode.map(|mode| mode.name().to_owned()),
            policy: Some(setting.policy.name().to_owned()),
            unknown_tools: (setting.unknown == UnknownTools::Strip).then(|| "strip".to_owned()),
            allows: setting.allows,
            role: (!setting.assistant).then(|| "user".to_owned()),
            stop_reason: Some(setting.stop_reason.to_string()),
            native_calls: setting.native_calls,
            active: setting.active.clone(),
            model: setting.model.clone(),
            intent: Some(self.intent),
            mentions: self
                .mentions
                .iter()
                .map(|(part, range)| [*part, range.start, range.end])
                .collect(),
            blocks: self.blocks.iter().map(StoredBlock::of).collect(),
            ..File::default()
        };
        toml::to_string(&file).unwrap_or_else(|error| format!("# cannot be written: {error}\n"))
    }
}

impl StoredBlock {
    fn of(block: &Block) -> Self {
        Self {
            part: block.part,
            start: block.range.start,
            end: block.range.end,
            family: block.family.clone(),
            spelling: block.spelling.clone(),
            calls: serde_json::to_string(&block.calls).unwrap_or_default(),
            shown: block.shown,
            damage: block.damage.clone(),
            calm: block.calm,
        }
    }

    fn read(self) -> Result<Block, String> {
        Ok(Block {
            part: self.part,
            range: self.start..self.end,
            family: self.family,
            spelling: self.spelling,
            calls: serde_json::from_str(&self.calls).map_err(|error| format!("calls: {error}"))?,
            shown: self.shown,
            damage: self.damage,
            calm: self.calm,
        })
    }
}

/// Reads a file: its case, and what it wants.
///
/// # Errors
///
/// A text that is no such file.
pub fn read(slug: &str, text: &str) -> Result<(Vec<Case>, Expected), String> {
    let file: File = toml::from_str(text).map_err(|error| format!("{slug}: {error}"))?;
    of_file(file).map_err(|error| format!("{slug}: {error}"))
}

fn of_file(file: File) -> Result<(Vec<Case>, Expected), String> {
    let mut texts = file.texts;
    if let Some(recipe) = &file.text_recipe {
        let recipe: Value = serde_json::from_str(recipe).map_err(|error| error.to_string())?;
        let text = corpus::expand(&recipe).map_err(|error| error.to_string())?;
        texts.push(text.as_str().ok_or("the recipe makes no text")?.to_owned());
    }
    let calls = file
        .calls
        .iter()
        .map(|calls| serde_json::from_str(calls).map_err(|error| error.to_string()));
    let expected = Expected { calls: calls.collect::<Result<_, String>>()?, left: file.left };
    let setting = Setting {
        mode: file.mode.as_deref().map(mode).transpose()?,
        policy: file
            .policy
            .map_or(Ok(Policy::default()), |name| name.parse().map_err(|_| "no such policy"))?,
        unknown: if file.unknown_tools.as_deref() == Some("strip") {
            UnknownTools::Strip
        } else {
            UnknownTools::Preserve
        },
        allows: file.allows,
        assistant: file.role.is_none_or(|role| role == "assistant"),
        stop_reason: file.stop_reason.as_deref().map_or(StopReason::Stop, StopReason::from_name),
        native_calls: file.native_calls,
        active: file.active,
        model: file.model,
    };
    let case = Case {
        texts,
        blocks: file.blocks.into_iter().map(StoredBlock::read).collect::<Result<_, String>>()?,
        mentions: file.mentions.iter().map(|[part, start, end]| (*part, *start..*end)).collect(),
        intent: file.intent.unwrap_or(Intent::Unknown),
        setting,
    };
    Ok((vec![case], expected))
}

fn mode(name: &str) -> Result<Mode, String> {
    let found = MODES.iter().find(|(_, known)| *known == name);
    found.map(|(mode, _)| *mode).ok_or_else(|| format!("no mode `{name}`"))
}
