//! Claims × releases: what holds, what does not, and what leans on it.

use std::{collections::BTreeMap, iter};

use corpus::{Claim, Miss, Release, Script, Trace};

use crate::host::{self, HostError, Outcome};
use crate::install::Installed;

/// What became of a claim on a release.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// As recorded.
    Holds,
    /// The claim says nothing of releases this old.
    Unspoken,
    /// Not as recorded.
    Drifted(Vec<Miss>),
    /// pi could not run the script.
    Failed(String),
    /// The user wanted an end before its turn.
    Unreached,
}

/// One release, checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The release.
    pub release: Release,
    /// Name of each claim, and what became of it.
    pub verdicts: Vec<(String, Verdict)>,
}

impl Checked {
    /// The claims that do not hold.
    pub fn drifted(&self) -> impl Iterator<Item = &(String, Verdict)> {
        let bad =
            |row: &&(String, Verdict)| matches!(row.1, Verdict::Drifted(_) | Verdict::Failed(_));
        self.verdicts.iter().filter(bad)
    }

    /// How many claims are as recorded.
    pub fn held(&self) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Holds).count()
    }

    /// How many claims speak of this release.
    pub fn spoken(&self) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| *verdict != Verdict::Unspoken).count()
    }

    /// How many claims were not looked at, because the user wanted an end.
    pub fn unreached(&self) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| *verdict == Verdict::Unreached).count()
    }
}

/// Runs the scripts of all claims that speak of this release, and judges each claim. Where the user
/// wants an end, the claims whose scripts did not run are [`Verdict::Unreached`].
///
/// # Errors
///
/// pi does not start, or stops between two scripts.
pub fn check(
    pi: &Installed,
    claims: &[Claim],
    scripts: &[Script],
    progress: &mut dyn FnMut(&str),
) -> Result<Checked, HostError> {
    let needed = needed(pi.release, claims, scripts);
    let outcomes = host::run(pi, &needed, progress)?;
    let names = needed.iter().map(|script| script.name.as_str());
    // The end may have come before the last of them.
    let outcomes = outcomes.into_iter().map(Some).chain(iter::repeat(None));
    let outcomes: BTreeMap<&str, Option<Outcome>> = names.zip(outcomes).collect();
    let judge = |claim: &Claim| (claim.name.clone(), verdict(pi.release, claim, &outcomes));
    Ok(Checked { release: pi.release, verdicts: claims.iter().map(judge).collect() })
}

/// A release that was not begun.
pub fn unreached(release: Release, claims: &[Claim]) -> Checked {
    let verdict = |claim: &Claim| match claim.row(release) {
        Some(_) => Verdict::Unreached,
        None => Verdict::Unspoken,
    };
    let verdicts = claims.iter().map(|claim| (claim.name.clone(), verdict(claim))).collect();
    Checked { release, verdicts }
}

/// The scripts that claims about this release need, each once.
pub fn needed<'a>(release: Release, claims: &[Claim], scripts: &'a [Script]) -> Vec<&'a Script> {
    let speaks = |script: &&Script| {
        claims.iter().any(|claim| claim.script == script.name && claim.row(release).is_some())
    };
    scripts.iter().filter(speaks).collect()
}

fn verdict(release: Release, claim: &Claim, outcomes: &BTreeMap<&str, Option<Outcome>>) -> Verdict {
    if claim.row(release).is_none() {
        return Verdict::Unspoken;
    }
    let judged = |trace: &Trace| claim.check(release, trace);
    match outcomes.get(claim.script.as_str()) {
        None => Verdict::Failed(format!("there is no script `{}`", claim.script)),
        Some(None) => Verdict::Unreached,
        Some(Some(Err(error))) => Verdict::Failed(error.clone()),
        Some(Some(Ok(trace))) => match judged(trace) {
            misses if misses.is_empty() => Verdict::Holds,
            misses => Verdict::Drifted(misses),
        },
    }
}
