//! Counts of a log.

use std::collections::BTreeMap;

use engine::telemetry::{By, Record, Stats, Tally};
use serde_json::Value;

use super::{Invariant, Verdict};
use crate::session::run::Run;
use crate::session::run::journal::stats;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "stats_add_up",
    says: "Counts are the sum of what the records say, and of the counts of any two parts of them.",
    kills: &["counts-ignore-times", "refusals-count-twice"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = &run.journal else { return Verdict::Vacuous };
    let records: Vec<&Record> = journal.records.iter().chain(&journal.read).collect();
    let whole = counts(&stats(run.workshop, records.iter().copied()));
    let (head, tail) = records.split_at(records.len() / 2);
    let mut sum = counts(&stats(run.workshop, head.iter().copied()));
    for (name, count) in counts(&stats(run.workshop, tail.iter().copied())) {
        *sum.entry(name).or_default() += count;
    }
    if whole != sum {
        return Verdict::Broken(format!("{whole:?} are not {sum:?}"));
    }
    let by_hand = by_hand(&records);
    Verdict::require(whole == by_hand, || format!("{whole:?}, by hand {by_hand:?}"))
}

/// Every count of a page, by section, name and kind; `all` for the sum.
fn counts(stats: &Stats) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    let mut add = |section: &str, name: &str, tally: Tally| {
        let kinds = [("fine", tally.fine), ("refused", tally.refused), ("treated", tally.treated)];
        for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
            counts.insert(format!("{section} {name} {kind}"), count);
        }
    };
    add("all", "", stats.all());
    for by in [By::Outcome, By::Tool, By::Model, By::Rule, By::Reason] {
        stats.of(by).into_iter().for_each(|(name, tally)| add(by.name(), name, tally));
    }
    counts
}

/// The same counts from the records as JSON.
fn by_hand(records: &[&Record]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for record in records.iter().map(|record| record.to_json()) {
        let kind = match record["outcome"].as_str() {
            Some("valid" | "deferred") => "fine",
            Some("unrepairable") => "refused",
            _ => "treated",
        };
        let mut add = |section: &str, name: &str| {
            let count = record["count"].as_u64().unwrap_or(1);
            *counts.entry(format!("{section} {name} {kind}")).or_default() += count;
        };
        add("all", "");
        for (section, member) in SECTIONS {
            match &record[member] {
                Value::String(name) => add(section, name),
                Value::Array(names) => {
                    names.iter().filter_map(Value::as_str).for_each(|name| add(section, name));
                }
                _ => {}
            }
        }
    }
    counts
}

/// Sections of a page with the member of a record that they count.
const SECTIONS: [(&str, &str); 5] = [
    ("outcome", "outcome"),
    ("tool", "tool"),
    ("model", "model"),
    ("rule", "rules"),
    ("reason", "reason"),
];
