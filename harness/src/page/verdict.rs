//! What comes first: whether anything is wrong; then the real cases and the promises.

use maud::{Markup, html};

use super::text::{count, percent, ratio};
use super::{Facts, breakable, table};
use crate::area;
use crate::score::Verdict;

/// The verdict in a few words.
pub(super) fn sentence(facts: Facts<'_>) -> String {
    let broken = facts.report.findings.len();
    let wrong = facts.real.of(Verdict::Wrong);
    let unexplained = facts.peer.unexplained.len();
    let some = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {more}")),
    };
    let faults: Vec<String> = [
        some(broken, "promise broken", "promises broken"),
        some(wrong, "wrong value accepted", "wrong values accepted"),
        some(unexplained, "difference unexplained", "differences unexplained"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if faults.is_empty() { "Nothing broken".to_owned() } else { faults.join(", ") }
}

fn is_good(facts: Facts<'_>) -> bool {
    facts.report.broken() == 0
        && facts.real.of(Verdict::Wrong) == 0
        && facts.peer.unexplained.is_empty()
}

/// The head of the page.
pub(super) fn head(facts: Facts<'_>) -> Markup {
    let report = facts.report;
    let good = is_good(facts);
    let promises = report.invariants().count();
    let kept = report.invariants().filter(|(_, tally)| tally.broken == 0).count();
    let real = facts.real.cases.len();
    let right = real - facts.real.of(Verdict::Wrong) - facts.real.of(Verdict::Refused);
    html! {
        header.verdict.good[good].bad[!good] {
            p.mark { span aria-hidden="true" { @if good { "✓ " } @else { "✕ " } } "pi-repair verify" }
            h1 { (sentence(facts)) }
            @if let Some(mutant) = facts.plant {
                p.planted { "Planted bug " code { (mutant.name) } ": " (mutant.says) }
            }
            @if !report.complete { p.planted { "Stopped early: what follows is what was done until then." } }
            dl.facts {
                div { dt { "Wrong values on real calls" } dd { (count(facts.real.of(Verdict::Wrong) as u64)) } }
                div { dt { "Real calls as wished" } dd { (count(right as u64)) small { " of " (count(real as u64)) } } }
                div { dt { "Generated cases" } dd { (count(report.cases)) } }
                div { dt { "Promises kept" } dd { (count(kept as u64)) small { " of " (count(promises as u64)) } } }
            }
        }
    }
}

/// What makes the same campaign again.
pub(super) fn origin(facts: Facts<'_>) -> Markup {
    let (index, of) = facts.settings.shard;
    let shard = if of > 1 { format!(" --shard {index}/{of}") } else { String::new() };
    let every = facts.lab.areas().count() == area::AREAS.len();
    let areas: Vec<String> = facts.lab.areas().map(|name| format!(" --area {name}")).collect();
    let areas = if every { String::new() } else { areas.concat() };
    let (cases, seed) = (facts.settings.cases, facts.settings.seed);
    html! {
        "The same again: "
        code { "pi-repair verify --cases " (cases) " --seed " (format!("{seed:#x}")) (shard) (areas) (facts.planted()) }
        ". The digest of all answers and verdicts was "
        code { (facts.report.digest) }
        ", whatever the number of threads."
    }
}

/// The real cases, by area.
pub(super) fn real(facts: Facts<'_>) -> Markup {
    let head = html! {
        th scope="col" { "Area" }
        @for verdict in Verdict::ALL { th.number scope="col" { (verdict.name()) } }
    };
    let rows = html! {
        @for (area, tally) in facts.real.areas() {
            tr {
                th scope="row" { (area.name()) }
                @for verdict in Verdict::ALL {
                    @let cases = tally.of(verdict) as u64;
                    td.number.none[cases == 0].alarm[cases > 0 && verdict == Verdict::Wrong] { (count(cases)) }
                }
            }
        }
    };
    let deliberate: usize = facts.peer.deliberate.values().sum();
    html! {
        p { "Failures that people reported in public, each with the outcome a careful user would want." }
        (table("real-areas", &html! { "Real cases by area and verdict" }, &head, &rows))
        p {
            "Beside the peer's outcomes: " strong { (count(facts.peer.same as u64)) } " the same, "
            strong { (count(deliberate as u64)) } " different on purpose, "
            strong { (count(facts.peer.unexplained.len() as u64)) } " unexplained."
        }
    }
}

/// Every promise with its verdicts, an area to a table.
pub(super) fn promises(facts: Facts<'_>) -> Markup {
    let head = html! {
        th scope="col" { "Promise" }
        th.number scope="col" { "held" }
        th.number scope="col" { "broken" }
        th.number scope="col" { "vacuous" }
        th scope="col" { "share vacuous" }
    };
    html! {
        p { "A promise is vacuous where a case gives it nothing to judge. One that nearly always is proves little." }
        @for (name, area) in &facts.report.areas {
            @let rows = html! {
                @for (promise, tally) in &area.invariants {
                    @let all = tally.held + tally.broken + tally.vacuous;
                    @let says = area::promise(promise).map_or("", |row| row.says);
                    tr.broken[tally.broken > 0] {
                        th scope="row" { code { (breakable(promise)) } span.says { (says) } }
                        td.number { (count(tally.held)) }
                        td.number.none[tally.broken == 0].alarm[tally.broken > 0] { (count(tally.broken)) }
                        td.number { (count(tally.vacuous)) }
                        td.share {
                            span.bar aria-hidden="true" { span style={ "width:" (format!("{:.1}", ratio(tally.vacuous, all) * 100.0)) "%" } {} }
                            span.number { (percent(tally.vacuous, all)) }
                        }
                    }
                }
            };
            @let caption = html! { strong { (name) } ", " (count(area.cases)) " cases" };
            (table(&format!("promises-{name}"), &caption, &head, &rows))
        }
    }
}
