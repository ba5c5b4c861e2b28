//! What a campaign counted, and its digest.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Cost, Finding};
use crate::area::{self, Digest, Trial, Verdict};

/// How often a promise held, said nothing, or was broken.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// It applied and was kept.
    pub held: u64,
    /// It said nothing.
    pub vacuous: u64,
    /// It was broken.
    pub broken: u64,
}

/// Something counted, by name.
pub type Counts = BTreeMap<&'static str, u64>;

/// What was counted in one area.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AreaReport {
    /// Cases that were run.
    pub cases: u64,
    /// By promise.
    pub invariants: BTreeMap<&'static str, Tally>,
    /// How often each outcome came of a case.
    pub outcomes: Counts,
    /// How often each outcome came of cases with each feature; a case with several counts for each.
    pub features: BTreeMap<&'static str, Counts>,
    /// How often each id was reached.
    pub reached: Counts,
    /// Coverage: cases by feature, by id that was reached, and by outcome.
    pub coverage: BTreeMap<&'static str, BTreeMap<&'static str, Counts>>,
    /// What it took.
    pub cost: Cost,
}

impl AreaReport {
    /// How often an id was reached.
    pub fn reached(&self, id: &str) -> u64 {
        self.reached.get(id).copied().unwrap_or(0)
    }

    fn count(&mut self, number: u64, trial: &Trial) {
        self.cases += 1;
        self.cost.count(number, trial.spent);
        for (name, verdict) in &trial.verdicts {
            let tally = self.invariants.entry(name).or_default();
            let slot = match verdict {
                Verdict::Holds => &mut tally.held,
                Verdict::Vacuous => &mut tally.vacuous,
                Verdict::Broken(_) => &mut tally.broken,
            };
            *slot += 1;
        }
        let Some(seen) = &trial.seen else { return };
        *self.outcomes.entry(seen.outcome).or_default() += 1;
        for id in &seen.reached {
            *self.reached.entry(id).or_default() += 1;
        }
        let once: BTreeSet<&'static str> = seen.reached.iter().copied().collect();
        for feature in &seen.features {
            *self.features.entry(feature).or_default().entry(seen.outcome).or_default() += 1;
            let row = self.coverage.entry(feature).or_default();
            for id in &once {
                *row.entry(id).or_default().entry(seen.outcome).or_default() += 1;
            }
        }
    }

    fn add(&mut self, next: Self) {
        self.cases += next.cases;
        for (name, tally) in next.invariants {
            let sum = self.invariants.entry(name).or_default();
            sum.held += tally.held;
            sum.vacuous += tally.vacuous;
            sum.broken += tally.broken;
        }
        add(&mut self.outcomes, next.outcomes);
        add(&mut self.reached, next.reached);
        for (id, outcomes) in next.features {
            add(self.features.entry(id).or_default(), outcomes);
        }
        for (feature, ids) in next.coverage {
            let row = self.coverage.entry(feature).or_default();
            for (id, outcomes) in ids {
                add(row.entry(id).or_default(), outcomes);
            }
        }
        self.cost.add(next.cost);
    }

    fn to_json(&self) -> Value {
        let row = |(name, tally): (&&'static str, &Tally)| {
            let says = area::promise(name).map_or("", |row| row.says);
            json!({
                "name": name, "says": says,
                "held": tally.held, "vacuous": tally.vacuous, "broken": tally.broken,
            })
        };
        json!({
            "cases": self.cases,
            "invariants": self.invariants.iter().map(row).collect::<Vec<_>>(),
            "outcomes": self.outcomes,
            "features": self.features,
            "reached": self.reached,
            "coverage": self.coverage,
        })
    }
}

fn add(sum: &mut Counts, next: Counts) {
    for (id, count) in next {
        *sum.entry(id).or_default() += count;
    }
}

/// The counts of a campaign. Two reports of neighbouring cases add up to one.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Cases that were run.
    pub cases: u64,
    /// Over the answers and verdicts of all cases, in order.
    pub digest: Digest,
    /// False if the campaign was stopped early.
    pub complete: bool,
    /// By area.
    pub areas: BTreeMap<&'static str, AreaReport>,
    /// The first broken case of each promise.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Nothing run yet.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            cases: 0,
            digest: Digest::default(),
            complete: true,
            areas: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    /// Every promise with its verdicts.
    pub fn invariants(&self) -> impl Iterator<Item = (&'static str, Tally)> {
        let areas = self.areas.values();
        areas.flat_map(|area| area.invariants.iter().map(|(name, tally)| (*name, *tally)))
    }

    /// Broken verdicts in all.
    pub fn broken(&self) -> u64 {
        self.invariants().map(|(_, tally)| tally.broken).sum()
    }

    /// True if `names` is not empty and each of these promises was broken.
    pub fn has_broken(&self, names: &[&'static str]) -> bool {
        let broken = |name: &&'static str| {
            self.invariants().any(|(known, tally)| known == *name && tally.broken > 0)
        };
        !names.is_empty() && names.iter().all(broken)
    }

    /// The form of `--json`: the same for the same seed and count, so without what it took.
    pub fn to_json(&self) -> Value {
        let areas = self.areas.iter();
        let areas: BTreeMap<&str, Value> =
            areas.map(|(name, area)| (*name, area.to_json())).collect();
        json!({
            "seed": self.seed,
            "digest": self.digest.to_string(),
            "cases": self.cases,
            "broken": self.broken(),
            "complete": self.complete,
            "areas": areas,
            "findings": self.findings,
        })
    }

    /// Adds the report of the cases that follow.
    pub(super) fn add(&mut self, next: Self) {
        self.cases += next.cases;
        self.digest.join(next.digest);
        for (name, area) in next.areas {
            self.areas.entry(name).or_default().add(area);
        }
        for finding in next.findings {
            let name = finding.invariant;
            self.find(|| finding, name);
        }
    }

    /// Keeps a finding if it is the first of its promise.
    pub(super) fn find(&mut self, finding: impl FnOnce() -> Finding, name: &str) {
        if !self.findings.iter().any(|known| known.invariant == name) {
            self.findings.push(finding());
        }
    }

    /// Counts one case of an area.
    pub(super) fn count(&mut self, area: &'static str, number: u64, trial: &Trial) {
        self.cases += 1;
        self.areas.entry(area).or_default().count(number, trial);
        let mut digest = Digest::default();
        digest.fold(area.as_bytes());
        for (_, verdict) in &trial.verdicts {
            digest.fold(&[matches!(verdict, Verdict::Holds).into()]);
        }
        if let Some(seen) = &trial.seen {
            digest.join(seen.digest);
        }
        self.digest.join(digest);
    }
}
