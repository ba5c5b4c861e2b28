//! A generated script, and the release that plays it.

use corpus::{Block, Release, Script, parse_script};
use engine::grammar::{FAMILIES, Printed};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::features::FEATURES;
use crate::area::Sample;
use crate::sim::GENERATIONS;
use crate::sim::generate::{self, Flavour};
use crate::source::{Choose, Source};

/// How the path in every leaked call begins.
pub const LEAKED: &str = "/leaked";

/// One session of the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The release that plays the script.
    pub release: Release,
    /// True if nothing in the script is malformed, fails or is stopped.
    pub orderly: bool,
    /// What happens.
    pub script: Script,
}

/// What the sessions of a batch are like. Chances are counted in sixteenths.
#[derive(Clone, Copy, Debug)]
pub struct Bias {
    /// Sessions in which nothing goes wrong.
    pub orderly: u32,
    /// Answers that print a call, in sessions where things go wrong.
    pub leaks: u32,
}

impl Bias {
    /// Draws how a batch strays from the ordinary.
    pub fn swarm(source: &mut dyn Source) -> Self {
        Self { orderly: source.range(2, 8), leaks: *source.pick(&[0, 4, 8]) }
    }
}

/// A case as TOML; the script stands in it as JSON.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    why: String,
    found: String,
    release: String,
    orderly: bool,
    script: String,
}

impl Case {
    /// Draws a session; the same choices give the same one.
    ///
    /// # Panics
    ///
    /// If the generator breaks the format of scripts.
    pub fn draw(source: &mut dyn Source, bias: &Bias) -> Self {
        let release = *source.pick(GENERATIONS);
        let orderly = source.chance(bias.orderly, 16);
        let flavour = if orderly { Flavour::WellFormed } else { Flavour::Hostile };
        let mut script = generate::script(source, "made", flavour).expect("a script of the format");
        if !orderly && source.chance(bias.leaks, 16) {
            leak(source, &mut script);
        }
        for feature in FEATURES.iter().filter(|row| !source.allows(row.id)) {
            (feature.drop)(&mut script);
        }
        Self { release, orderly, script }
    }

    /// Reads a regression file.
    ///
    /// # Errors
    ///
    /// A text that is no such file.
    pub fn from_toml(slug: &str, text: &str) -> Result<Self, String> {
        let stored: Stored = toml::from_str(text).map_err(|error| format!("{slug}: {error}"))?;
        let script = parse_script(slug, &stored.script).map_err(|error| error.to_string())?;
        let release = stored.release.parse().map_err(|_| format!("{slug}: no such release"))?;
        Ok(Self { release, orderly: stored.orderly, script })
    }

    /// What answers say in words: text, and arguments that came as text.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        let blocks = self.script.turns.iter().flat_map(|turn| &turn.content);
        blocks.filter_map(|block| match block {
            Block::Text { text } => Some(text.as_str()),
            Block::Call { arguments_error, raw, .. } => {
                raw.as_deref().or(arguments_error.as_deref())
            }
            Block::Thinking { .. } => None,
        })
    }

    fn page(&self) -> String {
        serde_json::to_string_pretty(&self.script).unwrap_or_default()
    }
}

/// Lets one answer print a call of the tool that every script has.
fn leak(source: &mut dyn Source, script: &mut Script) {
    let family = source.pick(FAMILIES);
    let arguments = json!({"path": *source.pick(&[LEAKED, "/leaked and more"])});
    let Some(arguments) = arguments.as_object() else { return };
    let printed = [Printed { name: "probe", arguments }];
    let answers = u32::try_from(script.turns.len()).unwrap_or(1);
    let at = source.below(answers) as usize;
    if let Some(text) = (family.render)(&printed, "canonical")
        && let Some(turn) = script.turns.get_mut(at)
    {
        turn.content.insert(0, Block::Text { text });
    }
}

impl Sample for Case {
    fn input(&self) -> String {
        let kind = if self.orderly { "orderly" } else { "disorderly" };
        format!("pi {}, {kind}:\n{}", self.release, self.page())
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        let stored = Stored {
            why: why.to_owned(),
            found: found.to_owned(),
            release: self.release.to_string(),
            orderly: self.orderly,
            script: self.page(),
        };
        toml::to_string(&stored).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Seeded;

    #[test]
    fn a_case_survives_its_file() {
        for number in 0..60 {
            let bias = Bias { orderly: 4, leaks: 8 };
            let mut case = Case::draw(&mut Seeded::new(5, number), &bias);
            let read = Case::from_toml("made", &case.to_toml("why", "found"));
            case.script.name = "made".to_owned();
            assert_eq!(read.expect("a regression file"), case);
        }
    }
}
