//! A broken promise: where it was found, made small, and as a file to paste.

use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Report, Settings};
use crate::area::{self, Lab, Sample, Trial, Verdict, Wanted};
use crate::source::{Replay, Seeded, shrink};

/// The seed and number that make a case again.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Origin {
    /// The campaign's seed.
    pub seed: u64,
    /// The case's number.
    pub number: u64,
}

impl Origin {
    /// The choices of the case.
    pub fn choices(self) -> Seeded {
        Seeded::new(self.seed, self.number)
    }
}

/// A promise that was broken, with the case that breaks it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The area's name.
    pub area: &'static str,
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
    pub fn new(
        name: &'static str,
        says: &str,
        origin: Origin,
        case: &dyn Sample,
        choices: &[u32],
    ) -> Self {
        let found = format!("seed {:#x}, case {}", origin.seed, origin.number);
        let promise = area::promise(name);
        Self {
            area: promise.map_or("", |row| row.area),
            invariant: name,
            promise: promise.map_or("", |row| row.says),
            says: says.to_owned(),
            origin,
            input: case.input(),
            choices: choices.to_vec(),
            shrunk: false,
            regression: case.to_toml(&why(name, says), &found),
        }
    }
}

pub(super) fn why(name: &str, says: &str) -> String {
    let says: String =
        says.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("{name}: {says}")
}

/// Makes every finding small.
pub(super) fn shrink_all(report: &mut Report, settings: &Settings, lab: &Lab, pool: &ThreadPool) {
    let findings = std::mem::take(&mut report.findings);
    report.findings = pool
        .install(|| findings.into_par_iter().map(|found| shrunk(found, lab, settings)).collect());
}

/// The smallest case that breaks the same promise, within so many tries and so much time.
pub fn shrunk(finding: Finding, lab: &Lab, settings: &Settings) -> Finding {
    let began = Instant::now();
    let late = || settings.shrink_time_max.is_some_and(|most| began.elapsed() >= most);
    let only = [finding.invariant];
    let wanted = Wanted { only: &only, show: false };
    let broken = |choices: &[u32]| {
        let mut replay = Replay::new(choices.to_vec());
        let Trial { mut verdicts, case, .. } = lab.case(finding.origin, &mut replay, wanted)?;
        match verdicts.pop() {
            Some((_, Verdict::Broken(says))) => Some((case, says)),
            _ => None,
        }
    };
    let still = |choices: &[u32]| !late() && broken(choices).is_some();
    let small = shrink(&finding.choices, still, settings.shrink_max);
    match broken(&small) {
        Some((case, says)) => {
            let found = Finding::new(finding.invariant, &says, finding.origin, &*case, &small);
            Finding { shrunk: true, ..found }
        }
        None => finding,
    }
}
