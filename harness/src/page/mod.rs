//! The page of `--report`: one file that needs no network, no script and no colour to be read.

mod cost;
mod failures;
mod heat;
mod measure;
mod text;
mod verdict;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::area::{Lab, Planted};
use crate::campaign::{Report, Settings};
use crate::compare::Comparison;
use crate::score::Score;
pub use measure::{Measured, SlowCase, StageCost, measure};

/// What the page tells of.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// The campaign.
    pub report: &'f Report,
    /// How it was set.
    pub settings: &'f Settings,
    /// Where it ran.
    pub lab: &'f Lab,
    /// The real cases.
    pub real: &'f Score,
    /// The peer's outcomes beside ours.
    pub peer: &'f Comparison,
    /// The planted bug.
    pub plant: Option<Planted>,
}

impl Facts<'_> {
    /// What has to follow a command so that it meets the same engine.
    fn planted(&self) -> String {
        self.plant.map(|mutant| format!(" --plant {}", mutant.name)).unwrap_or_default()
    }
}

/// What a page may do: nothing but wear its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The parts of the page, by anchor and heading.
const PARTS: &[(&str, &str)] = &[
    ("failures", "Failures"),
    ("real", "Real cases"),
    ("promises", "Promises"),
    ("heat", "Features and outcomes"),
    ("cost", "Cost"),
    ("slow", "Slowest inputs"),
];

/// Measures what is left to measure, and writes the page.
pub fn render(facts: Facts<'_>) -> String {
    let measured = measure(facts.report, facts.lab);
    page(facts, &measured).into_string()
}

fn page(facts: Facts<'_>, measured: &BTreeMap<&'static str, Measured>) -> Markup {
    let broken = facts.report.findings.len();
    let parts = PARTS.iter().filter(|part| part.0 != "failures" || broken > 0);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (verdict::sentence(facts)) " · pi-repair" }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                a.skip href="#main" { "Skip to the results" }
                (verdict::head(facts))
                nav aria-label="Parts of the page" {
                    ul { @for (anchor, heading) in parts { li { a href={ "#" (anchor) } { (heading) } } } }
                }
                main #main tabindex="-1" {
                    @if broken > 0 { (part("failures", &failures::all(facts))) }
                    (part("real", &verdict::real(facts)))
                    (part("promises", &verdict::promises(facts)))
                    (part("heat", &heat::all(facts)))
                    (part("cost", &cost::all(facts, measured)))
                    (part("slow", &cost::slow(facts, measured)))
                }
                footer { p { (verdict::origin(facts)) } }
            }
        }
    }
}

/// A part under its heading.
fn part(anchor: &str, body: &Markup) -> Markup {
    let heading = PARTS.iter().find(|part| part.0 == anchor).map_or("", |part| part.1);
    html! {
        section aria-labelledby=(anchor) {
            h2 id=(anchor) { (heading) }
            (body)
        }
    }
}

/// A table in a frame that scrolls by itself, by keyboard as well.
fn table(id: &str, caption: &Markup, head: &Markup, rows: &Markup) -> Markup {
    let caption_id = format!("{id}-caption");
    html! {
        div.scroll role="region" tabindex="0" aria-labelledby=(caption_id) {
            table {
                caption { span id=(caption_id) { (caption) } }
                thead { tr { (head) } }
                tbody { (rows) }
            }
        }
    }
}

/// An id in which lines may break behind each underscore, hyphen, dot and slash.
fn breakable(id: &str) -> Markup {
    html! {
        @for piece in id.split_inclusive(['_', '-', '.', '/']) { (piece) wbr; }
    }
}
