//! A small campaign on every run: nothing is broken, nothing is vacuous throughout, everything is reached.

use std::sync::atomic::AtomicBool;

use harness::campaign::{Report, Settings, Silent, run};
use harness::run::Workshop;

/// Share of cases, in percent, in which a promise may say nothing.
const VACUOUS_MAX: u64 = 95;

/// How often each id is reached in 100,000 cases, at least.
const REACHED_MIN: u64 = 100;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let digits = text.strip_prefix("0x");
    digits.map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
}

fn campaign() -> Report {
    let settings = Settings {
        cases: number("HARNESS_CASES").unwrap_or(20_000),
        seed: number("HARNESS_SEED").unwrap_or(Settings::default().seed),
        ..Settings::default()
    };
    run(&settings, &Workshop::new(), &Silent, &AtomicBool::new(false))
}

#[test]
fn a_small_campaign_holds_and_reaches_everything() {
    let report = campaign();
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
    let vacuous: Vec<_> = report
        .invariants
        .iter()
        .filter(|(_, tally)| tally.vacuous * 100 > report.cases * VACUOUS_MAX)
        .collect();
    let wanted = report.cases * REACHED_MIN / 100_000;
    let reached = |id: &&'static str| report.reached.get(id).copied().unwrap_or(0);
    let rare: Vec<(&str, u64)> = Report::reachable()
        .into_iter()
        .map(|id| (id, reached(&id)))
        .filter(|(_, count)| *count < wanted)
        .collect();
    assert!(broken.is_empty(), "{}\n{:#?}", broken.join("\n"), report.invariants);
    assert!(vacuous.is_empty(), "vacuous: {vacuous:?}");
    assert!(rare.is_empty(), "reached less than {wanted} times: {rare:?}");
}

#[test]
fn the_digest_does_not_depend_on_threads() {
    let digest = |threads| {
        let settings = Settings { cases: 2_000, threads, ..Settings::default() };
        run(&settings, &Workshop::new(), &Silent, &AtomicBool::new(false)).digest
    };
    assert_eq!(digest(1), digest(3));
}
