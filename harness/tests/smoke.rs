//! A small campaign on every run: nothing is broken, nothing is vacuous throughout, everything is reached.

use std::sync::atomic::AtomicBool;

use harness::area::{AREAS, AnyArea, Lab};
use harness::campaign::{Report, Settings, Silent, run};

/// Share of an area's cases, in percent, in which a promise may say nothing.
const VACUOUS_MAX: u64 = 95;

/// How often each id is reached in 100,000 cases of its area, at least.
const REACHED_MIN: u64 = 100;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let digits = text.strip_prefix("0x");
    digits.map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
}

/// Cases of an area: fewer where one is a whole session, played three times.
fn cases(area: &dyn AnyArea) -> u64 {
    if area.name() == "loop" { 1_500 } else { 20_000 }
}

/// A campaign against one area; `HARNESS_CASES` and `HARNESS_SEED` make it another, `HARNESS_AREA` picks one. With
/// fewer cases than is usual, nothing is said about what is rare.
fn campaign(area: &dyn AnyArea) -> Report {
    let settings = Settings {
        cases: number("HARNESS_CASES").unwrap_or(cases(area)),
        seed: number("HARNESS_SEED").unwrap_or(Settings::default().seed),
        ..Settings::default()
    };
    run(&settings, &Lab::with(&[area.name()], None), &Silent, &AtomicBool::new(false))
}

fn holds_and_reaches_everything(area: &dyn AnyArea) {
    let report = campaign(area);
    let broken: Vec<String> = report
        .findings
        .iter()
        .map(|found| {
            format!(
                "{}: {}\n  {}\n  seed {:#x}, case {}\n  {}\n{}",
                found.invariant,
                found.promise,
                found.says,
                found.origin.seed,
                found.origin.number,
                found.input,
                found.regression
            )
        })
        .collect();
    let counts = &report.areas[area.name()];
    let vacuous: Vec<_> = counts
        .invariants
        .iter()
        .filter(|(_, tally)| tally.vacuous * 100 > counts.cases * VACUOUS_MAX)
        .collect();
    let wanted = counts.cases * REACHED_MIN / 100_000;
    let rare: Vec<(&str, u64)> = area
        .reachable()
        .into_iter()
        .map(|id| (id, counts.reached(id)))
        .filter(|(_, count)| *count < wanted)
        .collect();
    let name = area.name();
    assert!(broken.is_empty(), "{name}: {}\n{:#?}", broken.join("\n"), counts.invariants);
    if counts.cases < cases(area) {
        return;
    }
    assert!(vacuous.is_empty(), "{name}: vacuous: {vacuous:?}");
    assert!(rare.is_empty(), "{name}: reached less than {wanted} times: {rare:?}");
    let listed = area.features();
    let foreign: Vec<_> = counts.features.keys().filter(|id| !listed.contains(*id)).collect();
    assert!(foreign.is_empty(), "{name}: counts unlisted features {foreign:?}");
    let outcomes = counts.outcomes.keys().filter(|name| !area.outcomes().contains(*name));
    assert_eq!(outcomes.count(), 0, "{name}: {:?}", counts.outcomes);
}

#[test]
fn a_small_campaign_of_each_area_holds_and_reaches_everything() {
    let wanted = std::env::var("HARNESS_AREA").ok();
    let wanted = |area: &dyn AnyArea| wanted.as_ref().is_none_or(|name| name == area.name());
    for row in AREAS.iter().filter(|row| wanted(row.area)) {
        holds_and_reaches_everything(row.area);
    }
}

#[test]
fn the_digest_does_not_depend_on_threads() {
    let digest = |threads| {
        let settings = Settings { cases: 2_000, threads, ..Settings::default() };
        run(&settings, &Lab::new(), &Silent, &AtomicBool::new(false)).digest
    };
    assert_eq!(digest(1), digest(3));
}
