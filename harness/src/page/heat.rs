//! Coverage: what cases carried against what came of it, and what it met in the engine.

use maud::{Markup, html};

use super::text::{count, percent, ratio};
use super::{Facts, breakable, table};
use crate::area::{self, AnyArea};
use crate::campaign::AreaReport;
use crate::campaign::report::Counts;

/// Ids named for each feature.
const IDS_SHOWN: usize = 6;

/// A heat map for each area.
pub(super) fn all(facts: Facts<'_>) -> Markup {
    html! {
        p {
            "Rows are what cases carry: damage, families, places, events. The deeper the colour, the larger the "
            "outcome's share of the row. A case that carries several things counts in several rows."
        }
        @for (name, area) in &facts.report.areas { (outcomes(name, area)) (met(name, area)) }
    }
}

fn sum(counts: &Counts) -> u64 {
    counts.values().sum()
}

fn outcomes(name: &str, area: &AreaReport) -> Markup {
    let row = area::named(name);
    let listed = row.map_or(&[] as &[&str], |area| area.outcomes());
    let known = |outcome: &&&str| area.outcomes.contains_key(**outcome);
    let columns: Vec<&str> = listed.iter().filter(known).copied().collect();
    let head = html! {
        th scope="col" { "Feature" }
        th.number scope="col" { "cases" }
        @for outcome in &columns { th.number scope="col" { (breakable(outcome)) } }
    };
    let none = Counts::new();
    let order = row.map_or_else(Vec::new, AnyArea::features);
    let rows = html! {
        (line(&html! { em { "all cases" } }, area.cases, &area.outcomes, &columns))
        @for feature in order {
            @let counts = area.features.get(feature).unwrap_or(&none);
            (line(&breakable(feature), sum(counts), counts, &columns))
        }
    };
    let caption = html! { strong { (name) } ": features by outcome" };
    table(&format!("heat-{name}"), &caption, &head, &rows)
}

fn line(label: &Markup, all: u64, counts: &Counts, columns: &[&str]) -> Markup {
    html! {
        tr {
            th scope="row" { (label) }
            td.number { (count(all)) }
            @for outcome in columns {
                @let part = counts.get(outcome).copied().unwrap_or(0);
                td.number.heat.none[part == 0] style={ "--share:" (format!("{:.1}", ratio(part, all) * 100.0)) "%" } {
                    (percent(part, all))
                }
            }
        }
    }
}

/// What each feature met in the engine: the ids it reached most.
fn met(name: &str, area: &AreaReport) -> Markup {
    let head = html! {
        th scope="col" { "Feature" }
        th.number scope="col" { "ids" }
        th scope="col" { "reached most, in how many cases" }
    };
    let rows = html! {
        @for (feature, ids) in &area.coverage {
            @let ranked = ranked(ids.iter().map(|(id, outcomes)| (*id, sum(outcomes))));
            tr {
                th scope="row" { (breakable(feature)) }
                td.number { (count(ids.len() as u64)) }
                td.ids {
                    @for (id, times) in ranked.iter().take(IDS_SHOWN) {
                        span { code { (breakable(id)) } " " (count(*times)) }
                    }
                    @if ranked.len() > IDS_SHOWN { span { "and " (ranked.len() - IDS_SHOWN) " more" } }
                }
            }
        }
    };
    let caption = html! { strong { (name) } ": what each feature met; all numbers are in " code { "--json" } };
    html! {
        details {
            summary { "What each feature met in " (name) }
            (table(&format!("met-{name}"), &caption, &head, &rows))
        }
    }
}

/// The most frequent first; of equals, the first by name.
fn ranked<'i>(ids: impl Iterator<Item = (&'i str, u64)>) -> Vec<(&'i str, u64)> {
    let mut ids: Vec<(&str, u64)> = ids.collect();
    ids.sort_by_key(|(id, times)| (std::cmp::Reverse(*times), *id));
    ids
}
