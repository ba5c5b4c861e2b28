//! What was seen of pi before any claim was written, to hold claims and scripts against.

use serde::Deserialize;

use crate::{
    claim::{Lines, Miss},
    error::CorpusError,
    lines,
    release::Release,
    trace::{Trace, View},
};

/// One observation, and the script that shows the same; the format is described in
/// `corpus/data/host/README.md`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// What it is called where it was made.
    pub observed: String,
    /// Name of the script.
    pub script: String,
    /// The releases on which exactly this was seen.
    pub pi: Vec<Release>,
    /// Where the script's trace shows it.
    pub view: View,
    /// How the lines begin that were looked for; all lines, if there are none.
    #[serde(default)]
    pub only: Vec<String>,
    /// What was seen, in order.
    pub lines: Vec<String>,
}

impl Observation {
    /// What a trace of the script shows otherwise; empty if it shows the same.
    ///
    /// A script may ask more than was asked then; anything else must be all there is, but for the system's
    /// message, which was not looked for.
    pub fn check(&self, trace: &Trace) -> Vec<Miss> {
        let looked_for = |line: &String| {
            let begins = |begin: &String| line.split(' ').next() == Some(begin);
            self.only.is_empty() || self.only.iter().any(begins) && !line.ends_with(" system")
        };
        let got: Vec<String> = trace.view(self.view).into_iter().filter(looked_for).collect();
        let lines = self.lines.clone();
        let wanted = if self.view == View::Answers {
            Lines { has: lines, ..Lines::default() }
        } else {
            Lines { is: Some(lines), ..Lines::default() }
        };
        wanted.check(self.view, &got)
    }
}

/// Reads observations, one a line; none of a release and a view stands there twice.
///
/// # Errors
///
/// A line that is no observation, or one that stands there already.
pub fn parse_observations(file: &str, text: &str) -> Result<Vec<Observation>, CorpusError> {
    lines::parse(file, text, "host/README.md", |row: Observation| {
        let first = row.pi.first().map(ToString::to_string).unwrap_or_default();
        Ok((format!("{} {} {} {first}", row.observed, row.script, row.view), row))
    })
}
