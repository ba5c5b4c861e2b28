//! What it took: the campaign by stage, the engine by stage, how long answers took, and the slowest inputs.

use std::collections::BTreeMap;
use std::time::Duration;

use maud::{Markup, html};

use super::measure::{Measured, StageCost};
use super::text::{count, percent, ratio, time, visible};
use super::{Facts, table};
use crate::campaign::{AreaReport, Cost};

/// The time at the left and at the right of the plot of stages.
const AXIS: (f64, f64) = (1e-7, 1e-1);

/// Characters of a slow input that are shown.
const SHOWN_MAX: usize = 600;

/// Where the time went.
pub(super) fn all(facts: Facts<'_>, measured: &BTreeMap<&'static str, Measured>) -> Markup {
    html! {
        h3 { "The engine by stage" }
        (stages(measured))
        (answers(facts))
        (campaign(facts))
    }
}

/// The engine's stages, each timed alone.
fn stages(measured: &BTreeMap<&'static str, Measured>) -> Markup {
    let head = html! {
        th scope="col" { "Stage" }
        th.axis scope="col" {
            span.hidden { "Plot" }
            @for (label, at) in [("100 ns", 1e-7), ("10 µs", 1e-5), ("1 ms", 1e-3)] {
                span style={ "left:" (place(at)) "%" } { (label) }
            }
        }
        th.number scope="col" { "median" }
        th.number scope="col" { "99%" }
        th.number scope="col" { "most" }
    };
    let rows = html! {
        @for (name, area) in measured {
            @for stage in &area.stages {
                tr {
                    th scope="row" { (name) ": " (stage.name) }
                    td.lane { (lane(*stage)) }
                    @for mark in [stage.median, stage.high, stage.most] { td.number { (time(mark)) } }
                }
            }
        }
    };
    html! {
        p {
            "Each stage is asked again alone, on cases of this campaign. The dot is where half of the cases are done, "
            "the line reaches to 99 of 100, the stroke marks the longest; each step of the scale is a hundredfold."
        }
        (table("stages", &html! { "The engine's stages" }, &head, &rows))
    }
}

fn lane(stage: StageCost) -> Markup {
    let [median, high, most] =
        [stage.median, stage.high, stage.most].map(|time| at(time.as_secs_f64()));
    html! {
        span.plot aria-hidden="true" {
            span.line style={ "left:" (format!("{median:.1}")) "%;width:" (format!("{:.1}", high - median)) "%" } {}
            span.most style={ "left:" (format!("{most:.1}")) "%" } {}
            span.dot style={ "left:" (format!("{median:.1}")) "%" } {}
        }
    }
}

fn place(seconds: f64) -> String {
    format!("{:.1}", at(seconds))
}

/// Where a time stands on the axis, in percent.
fn at(seconds: f64) -> f64 {
    let (low, high) = (AXIS.0.log10(), AXIS.1.log10());
    ((seconds.max(AXIS.0).log10() - low) / (high - low) * 100.0).clamp(0.0, 100.0)
}

/// How long answers took, as columns.
fn answers(facts: Facts<'_>) -> Markup {
    html! {
        h3 { "Time to an answer" }
        p { "Cases by the time from the case to the engine's answer, compiling made-up tools included; the height is the logarithm of their number." }
        div.plots {
            @for (name, area) in &facts.report.areas { (histogram(name, area)) }
        }
    }
}

fn histogram(name: &str, area: &AreaReport) -> Markup {
    let classes = &area.cost.classes;
    let most = classes.iter().copied().max().unwrap_or(0);
    let height = |cases: u64| {
        let log = |cases: u64| ratio(cases + 1, 1).log10();
        if most == 0 { 0.0 } else { log(cases) / log(most) * 100.0 }
    };
    let half = class_of(classes, 50);
    let slow = class_of(classes, 99);
    let label = format!("{name}: half of the answers within {half}, 99 of 100 within {slow}");
    html! {
        figure {
            svg viewBox={ "0 0 " (classes.len() * 10) " 100" } preserveAspectRatio="none" role="img" aria-label=(label) {
                @for (at, cases) in classes.iter().enumerate() {
                    @let height = height(*cases);
                    rect x=(at * 10 + 1) y=(format!("{:.1}", 100.0 - height)) width="8" height=(format!("{height:.1}")) {}
                }
            }
            p.scale aria-hidden="true" { span { "1 µs" } span { "512 µs" } span { "65 ms" } }
            figcaption { strong { (name) } ": half within " (half) ", 99% within " (slow) }
        }
    }
}

/// The bound of the class that holds the case at so many percent.
fn class_of(classes: &[u64], share: u64) -> String {
    let all: u64 = classes.iter().sum();
    let mut seen = 0;
    for (class, cases) in classes.iter().enumerate() {
        seen += cases;
        if seen * 100 >= all * share {
            return time(Duration::from_micros(1 << class));
        }
    }
    "no time".to_owned()
}

/// What the campaign spent its time on.
fn campaign(facts: Facts<'_>) -> Markup {
    let head = html! {
        th scope="col" { "Area" }
        th.split scope="col" { "Plot" }
        @for (class, name) in SHARES { th.number scope="col" { span class={ "key " (class) } aria-hidden="true" {} (name) } }
        th.number scope="col" { "a case" }
    };
    let rows = html! {
        @for (name, area) in &facts.report.areas {
            @let Cost { draw_ns, answer_ns, judge_ns, .. } = area.cost;
            @let all = draw_ns + answer_ns + judge_ns;
            @let parts = [draw_ns, answer_ns, judge_ns];
            tr {
                th scope="row" { (name) }
                td.split {
                    span.stack aria-hidden="true" {
                        @for ((class, _), part) in SHARES.iter().zip(parts) {
                            span class=(class) style={ "width:" (format!("{:.1}", ratio(part, all) * 100.0)) "%" } {}
                        }
                    }
                }
                @for part in parts { td.number { (percent(part, all)) } }
                td.number { (time(Duration::from_nanos(all / area.cases.max(1)))) }
            }
        }
    };
    let caption = html! { "What the campaign spent its time on" };
    html! {
        h3 { "The campaign" }
        p { "Making cases, asking the engine for the answer, and judging it, which asks many times more." }
        (table("campaign", &caption, &head, &rows))
    }
}

/// The campaign's stages, by class of style and name.
const SHARES: [(&str, &str); 3] = [("draw", "making"), ("answer", "asking"), ("judge", "judging")];

/// The slowest inputs of each area.
pub(super) fn slow(facts: Facts<'_>, measured: &BTreeMap<&'static str, Measured>) -> Markup {
    html! {
        p { "The slowest of the campaign, asked three times more with nothing beside them; the best of three counts." }
        @for (name, area) in measured {
            @let head = html! {
                th.number scope="col" { "answer" }
                th.number scope="col" { "bytes" }
                th scope="col" { "input" }
            };
            @let rows = html! {
                @for case in &area.slow {
                    @let again = format!(
                        "pi-repair replay --seed {:#x} --case {}{}",
                        case.origin.seed, case.origin.number, facts.planted()
                    );
                    tr {
                        td.number { (time(case.answer)) }
                        td.number { (count(case.input.len() as u64)) }
                        td.input {
                            details {
                                summary { "case " (case.origin.number) }
                                pre.command { (again) }
                                pre { (visible(&case.input, SHOWN_MAX)) }
                            }
                        }
                    }
                }
            };
            (table(&format!("slow-{name}"), &html! { strong { (name) } }, &head, &rows))
        }
    }
}
