//! The ordinary campaign finds and shrinks every planted bug, through each promise that is said to catch it.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use harness::area::{AREAS, Lab, Planted, Wanted, mutants, promises};
use harness::campaign::{Report, Settings, Silent, run};
use harness::source::Replay;
use rayon::prelude::*;

/// Cases of its area within which a planted bug must be found.
const CASES_MAX: u64 = 20_000;

/// Choices that a shrunk case may still need; an unshrunk one takes up to several hundred.
const CHOICES_MAX: usize = 120;

/// The promises that are said to catch a planted bug.
fn catchers(name: &str) -> Vec<&'static str> {
    promises().iter().filter(|row| row.kills.contains(&name)).map(|row| row.name).collect()
}

fn hunt(mutant: &Planted) -> Report {
    let catchers = catchers(mutant.name);
    let settings = Settings {
        cases: CASES_MAX,
        threads: 1,
        only: catchers.clone(),
        until_broken: catchers,
        shrink_max: 2_000,
        ..Settings::default()
    };
    let lab = Lab::with(&[mutant.area], Some(mutant.name));
    run(&settings, &lab, &Silent, &AtomicBool::new(false))
}

/// What is wrong with the hunt for one planted bug; empty if it was found and made small.
fn faults(mutant: &Planted, sound: &Lab) -> Vec<String> {
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
        let mut replay = Replay::new(found.choices.clone());
        let wanted = Wanted { only: &[name], show: false };
        let trial = sound.case(found.origin, &mut replay, wanted).expect("all areas are here");
        if trial.broken().next().is_some() {
            faults.push(format!("{name} breaks without {} as well: {}", mutant.name, found.input));
        }
    }
    faults
}

/// `HARNESS_AREA` picks the planted bugs of one area.
#[test]
fn every_planted_bug_is_found_and_shrunk() {
    let sound = Lab::new();
    let wanted = std::env::var("HARNESS_AREA").ok();
    let wanted = |mutant: &Planted| wanted.as_ref().is_none_or(|area| area == mutant.area);
    let mutants: Vec<Planted> = mutants().into_iter().filter(|mutant| wanted(mutant)).collect();
    let faults: Vec<String> =
        mutants.par_iter().flat_map(|mutant| faults(mutant, &sound)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_promise_catches_a_planted_bug_and_every_bug_has_a_promise() {
    for area in AREAS.iter().map(|row| row.area) {
        let known: BTreeSet<&str> = area.mutants().iter().map(|mutant| mutant.name).collect();
        for row in area.promises() {
            assert!(!row.kills.is_empty(), "{} has no planted bug", row.name);
            let unknown: Vec<_> = row.kills.iter().filter(|name| !known.contains(*name)).collect();
            assert!(unknown.is_empty(), "{} names {unknown:?}", row.name);
        }
        for mutant in area.mutants() {
            assert!(!catchers(mutant.name).is_empty(), "nobody is said to catch {}", mutant.name);
        }
    }
}
