//! A broken promise: where it was found, made small, and as a file to paste.

use corpus::RegressionFile;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::{Report, Settings, bias_of, judge};
use crate::case::Case;
use crate::invariants::{self, Invariant, Verdict};
use crate::run::Workshop;
use crate::source::{Replay, shrink};

/// The seed and number that make a case again.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Origin {
    /// The campaign's seed.
    pub seed: u64,
    /// The case's number.
    pub number: u64,
}

/// A promise that was broken, with the case that breaks it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The promise's name.
    pub invariant: &'static str,
    /// The promise.
    pub promise: &'static str,
    /// How it was broken.
    pub says: String,
    /// Where it was first seen.
    pub origin: Origin,
    /// What was sent.
    pub input: String,
    /// The choices behind the case; fewer and smaller once shrunk.
    pub choices: Vec<u32>,
    /// Whether `choices` were made smaller.
    pub shrunk: bool,
    /// The regression file, to paste.
    pub regression: String,
}

impl Finding {
    /// A finding as it was met.
    pub fn new(row: &Invariant, says: &str, origin: Origin, case: &Case, choices: &[u32]) -> Self {
        let found = format!("seed {:#x}, case {}", origin.seed, origin.number);
        let file: RegressionFile = case.to_regression(&why(row, says), &found);
        Self {
            invariant: row.name,
            promise: row.says,
            says: says.to_owned(),
            origin,
            input: case.call.as_text(),
            choices: choices.to_vec(),
            shrunk: false,
            regression: file.to_toml(),
        }
    }
}

fn why(row: &Invariant, says: &str) -> String {
    let says: String =
        says.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("{}: {says}", row.name)
}

/// Makes every finding small.
pub(super) fn shrink_all(
    report: &mut Report,
    settings: &Settings,
    workshop: &Workshop,
    pool: &ThreadPool,
) {
    let findings = std::mem::take(&mut report.findings);
    report.findings = pool.install(|| {
        findings.into_par_iter().map(|found| shrunk(found, settings, workshop)).collect()
    });
}

/// The smallest case that breaks the same promise, within the tries that the settings allow.
fn shrunk(finding: Finding, settings: &Settings, workshop: &Workshop) -> Finding {
    let Some(row) = invariants::named(finding.invariant) else { return finding };
    let bias = bias_of(finding.origin.seed, finding.origin.number);
    let broken = |choices: &[u32]| {
        let case = Case::draw(&mut Replay::new(choices.to_vec()), &bias);
        match judge(workshop, &case, &[row]).verdicts.pop() {
            Some((_, Verdict::Broken(says))) => Some((case, says)),
            _ => None,
        }
    };
    let small = shrink(&finding.choices, |choices| broken(choices).is_some(), settings.shrink_max);
    match broken(&small) {
        Some((case, says)) => {
            Finding { shrunk: true, ..Finding::new(row, &says, finding.origin, &case, &small) }
        }
        None => finding,
    }
}
