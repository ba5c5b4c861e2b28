//! What a campaign counted, and its digest.

use std::collections::BTreeMap;

use engine::REASONS;
use engine::names::NAME_RULES;
use engine::preprocess::KINDS;
use engine::reader::LIBERTIES;
use engine::rules::RULES;
use serde::Serialize;

use super::Finding;
use super::batch::Judged;
use crate::case::Case;
use crate::invariants::{INVARIANTS, Verdict};
use crate::malform::MALFORMATIONS;
use crate::run::Answer;

/// How often a promise held, said nothing, or was broken.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// It applied and was kept.
    pub held: u64,
    /// It said nothing.
    pub vacuous: u64,
    /// It was broken.
    pub broken: u64,
}

/// How often each outcome came of something.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Outcomes {
    /// Valid as it stood.
    pub valid: u64,
    /// Left to the host.
    pub deferred: u64,
    /// Repaired.
    pub repaired: u64,
    /// Refused.
    pub refused: u64,
}

/// The counts of a campaign. Two reports of neighbouring cases add up to one.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// Cases that were run.
    pub cases: u64,
    /// Over the answers and verdicts of all cases, in order.
    pub digest: u64,
    /// False if the campaign was stopped early.
    pub complete: bool,
    /// By promise.
    pub invariants: BTreeMap<&'static str, Tally>,
    /// By malformation; a call with several counts for each.
    pub malformations: BTreeMap<&'static str, Outcomes>,
    /// How often each rule, preprocessor, liberty, name rule and reason was reached.
    pub reached: BTreeMap<&'static str, u64>,
    /// The first broken case of each promise.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Nothing run yet.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            cases: 0,
            digest: FNV_START,
            complete: true,
            invariants: BTreeMap::new(),
            malformations: BTreeMap::new(),
            reached: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    /// Broken verdicts in all.
    pub fn broken(&self) -> u64 {
        self.invariants.values().map(|tally| tally.broken).sum()
    }

    /// True if `names` is not empty and each of these promises was broken.
    pub fn has_broken(&self, names: &[&'static str]) -> bool {
        let broken =
            |name: &&'static str| self.invariants.get(name).is_some_and(|tally| tally.broken > 0);
        !names.is_empty() && names.iter().all(broken)
    }

    /// The digest as text.
    pub fn digest_text(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// Everything that a campaign should reach: rules, preprocessors, liberties, name rules and reasons, by id.
    pub fn reachable() -> Vec<&'static str> {
        let rules = RULES.iter().map(|rule| rule.id);
        let kinds = KINDS.iter().map(|kind| kind.rule);
        let liberties = LIBERTIES.iter().map(|liberty| liberty.id);
        let names = NAME_RULES.iter().map(|rule| rule.id);
        let reasons = REASONS.iter().map(|(id, _)| *id);
        rules.chain(kinds).chain(liberties).chain(names).chain(reasons).collect()
    }

    /// The form of `--json`.
    ///
    /// # Panics
    ///
    /// Never: counts and texts always have a JSON form.
    pub fn to_json(&self) -> serde_json::Value {
        let invariants: Vec<serde_json::Value> = INVARIANTS
            .iter()
            .filter_map(|row| Some((row, self.invariants.get(row.name)?)))
            .map(|(row, tally)| {
                serde_json::json!({
                    "name": row.name, "says": row.says,
                    "held": tally.held, "vacuous": tally.vacuous, "broken": tally.broken,
                })
            })
            .collect();
        serde_json::json!({
            "seed": self.seed,
            "digest": self.digest_text(),
            "cases": self.cases,
            "broken": self.broken(),
            "complete": self.complete,
            "invariants": invariants,
            "malformations": self.malformations,
            "reached": self.reached,
            "findings": self.findings,
        })
    }

    /// Adds the report of the cases that follow.
    pub(super) fn add(&mut self, next: Self) {
        self.cases += next.cases;
        self.digest = fold(self.digest, &next.digest.to_le_bytes());
        for (name, tally) in next.invariants {
            let sum = self.invariants.entry(name).or_default();
            sum.held += tally.held;
            sum.vacuous += tally.vacuous;
            sum.broken += tally.broken;
        }
        for (id, outcomes) in next.malformations {
            let sum = self.malformations.entry(id).or_default();
            sum.valid += outcomes.valid;
            sum.deferred += outcomes.deferred;
            sum.repaired += outcomes.repaired;
            sum.refused += outcomes.refused;
        }
        for (id, count) in next.reached {
            *self.reached.entry(id).or_default() += count;
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

    /// Counts one case.
    pub(super) fn count(&mut self, case: &Case, judged: &Judged) {
        self.cases += 1;
        let mut hash = FNV_START;
        for (name, verdict) in &judged.verdicts {
            let tally = self.invariants.entry(name).or_default();
            let slot = match verdict {
                Verdict::Holds => &mut tally.held,
                Verdict::Vacuous => &mut tally.vacuous,
                Verdict::Broken(_) => &mut tally.broken,
            };
            *slot += 1;
            hash = fold(hash, &[matches!(verdict, Verdict::Holds).into()]);
        }
        if let Some(answer) = &judged.answer {
            self.count_answer(case, answer);
            hash = fold_answer(hash, answer);
        }
        for id in &judged.name_rules {
            *self.reached.entry(id).or_default() += 1;
            hash = fold(hash, id.as_bytes());
        }
        if judged.name_refused {
            *self.reached.entry("unknown-tool").or_default() += 1;
        }
        self.digest = fold(self.digest, &hash.to_le_bytes());
    }

    fn count_answer(&mut self, case: &Case, answer: &Answer) {
        for id in &case.call.applied {
            let outcomes = self.malformations.entry(id).or_default();
            let slot = match answer {
                Answer::Valid { .. } => &mut outcomes.valid,
                Answer::Deferred { .. } => &mut outcomes.deferred,
                Answer::Repaired { .. } => &mut outcomes.repaired,
                Answer::Refused(_) => &mut outcomes.refused,
            };
            *slot += 1;
        }
        for change in answer.changes() {
            *self.reached.entry(change.rule).or_default() += 1;
        }
        if let Some(refusal) = answer.refusal() {
            *self.reached.entry(refusal.reason.id()).or_default() += 1;
        }
    }
}

/// Malformations that no case of a report used.
pub fn unused_malformations(report: &Report) -> Vec<&'static str> {
    let used = |id: &&'static str| !report.malformations.contains_key(id);
    MALFORMATIONS.iter().map(|row| row.id).filter(used).collect()
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, 64 bit.
fn fold(hash: u64, bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn fold_answer(hash: u64, answer: &Answer) -> u64 {
    let mut hash = fold(hash, answer.name().as_bytes());
    if let Some(args) = answer.args() {
        hash = fold(hash, args.to_string().as_bytes());
    }
    for change in answer.changes() {
        hash = fold(hash, change.rule.as_bytes());
        hash = fold(hash, change.pointer.as_str().as_bytes());
    }
    if let Some(refusal) = answer.refusal() {
        hash = fold(hash, refusal.reason.id().as_bytes());
        hash = fold(hash, &refusal.fingerprint.to_le_bytes());
    }
    hash
}
