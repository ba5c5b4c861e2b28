//! The ordinary campaign finds and shrinks every planted bug, through each promise that is said to catch it.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use harness::campaign::{Report, Settings, Silent, bias_of, judge, run};
use harness::case::Case;
use harness::invariants::{self, INVARIANTS, Verdict};
use harness::mutants::{MUTANTS, Mutant};
use harness::run::Workshop;
use harness::source::Replay;
use rayon::prelude::*;

/// Cases within which a planted bug must be found.
const CASES_MAX: u64 = 20_000;

/// Choices that a shrunk case may still need; an unshrunk one takes up to several hundred.
const CHOICES_MAX: usize = 120;

/// The promises that are said to catch a planted bug.
fn catchers(name: &str) -> Vec<&'static str> {
    INVARIANTS.iter().filter(|row| row.kills.contains(&name)).map(|row| row.name).collect()
}

fn hunt(mutant: &Mutant) -> Report {
    let catchers = catchers(mutant.name);
    let settings = Settings {
        cases: CASES_MAX,
        threads: 1,
        only: catchers.clone(),
        until_broken: catchers,
        shrink_max: 1_000,
        ..Settings::default()
    };
    run(&settings, &Workshop::with(mutant.plant), &Silent, &AtomicBool::new(false))
}

/// What is wrong with the hunt for one planted bug; empty if it was found and made small.
fn faults(mutant: &Mutant, sound: &Workshop) -> Vec<String> {
    let report = hunt(mutant);
    let mut faults = Vec::new();
    for name in catchers(mutant.name) {
        let Some(found) = report.findings.iter().find(|found| found.invariant == name) else {
            faults.push(format!("{name} is blind to {}", mutant.name));
            continue;
        };
        if !found.shrunk || found.choices.len() > CHOICES_MAX {
            faults.push(format!(
                "{}: {} choices are left for {name}",
                mutant.name,
                found.choices.len()
            ));
        }
        let bias = bias_of(found.origin.seed, found.origin.number);
        let case = Case::draw(&mut Replay::new(found.choices.clone()), &bias);
        let row = invariants::named(name).expect("findings name their promise");
        let judged = judge(sound, &case, &[row]);
        if matches!(judged.verdicts.as_slice(), [(_, Verdict::Broken(_))]) {
            faults.push(format!("{name} breaks without {} as well: {}", mutant.name, found.input));
        }
    }
    faults
}

#[test]
fn every_planted_bug_is_found_and_shrunk() {
    let sound = Workshop::new();
    let faults: Vec<String> =
        MUTANTS.par_iter().flat_map(|mutant| faults(mutant, &sound)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_promise_catches_a_planted_bug_and_every_bug_has_a_promise() {
    let known: BTreeSet<&str> = MUTANTS.iter().map(|mutant| mutant.name).collect();
    assert_eq!(known.len(), MUTANTS.len());
    for row in INVARIANTS {
        assert!(!row.kills.is_empty(), "{} has no planted bug", row.name);
        let unknown: Vec<_> = row.kills.iter().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{} names {unknown:?}", row.name);
    }
    for mutant in MUTANTS {
        assert!(!catchers(mutant.name).is_empty(), "nobody is said to catch {}", mutant.name);
    }
}
