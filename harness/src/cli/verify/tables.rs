//! What a campaign found, as tables on a terminal.

use harness::area::{self, AnyArea, Planted};
use harness::campaign::{AreaReport, Finding, Report};
use harness::compare::Comparison;
use harness::score::Score;

use crate::cli::out::{self, BAD, DIM, GOOD, HEAD, styled};
use crate::cli::score::table as areas_table;

/// The whole report.
pub(super) fn render(
    report: &Report,
    real: &Score,
    peer: &Comparison,
    plant: Option<Planted>,
) -> String {
    let deliberate: usize = peer.deliberate.values().sum();
    let mut lines = Vec::new();
    if let Some(mutant) = plant {
        lines.push(styled(BAD, format!("planted bug {}: {}", mutant.name, mutant.says)));
    }
    lines.push(styled(HEAD, "Real cases"));
    lines.push(areas_table(real));
    lines.push(format!(
        "Beside the peer: {} same, {deliberate} deliberately different, {} unexplained\n",
        peer.same,
        peer.unexplained.len()
    ));
    for (name, counts) in &report.areas {
        let area = area::named(name);
        lines.push(styled(HEAD, format!("Reached in {name}, in {} cases", counts.cases)));
        lines.push(area.map_or_else(String::new, |area| reached(area, counts)));
        lines.push(styled(HEAD, "\nInvariants (vacuous: the case gave it nothing to judge)"));
        lines.push(format!("{}\n", invariants(counts)));
    }
    lines.extend(report.findings.iter().map(|finding| broken(finding, plant)));
    let early = if report.complete { "" } else { ", stopped early" };
    lines.push(format!(
        "{} generated cases{early}, seed {:#x}, digest {}",
        report.cases, report.seed, report.digest
    ));
    let promises: usize = report.areas.values().map(|counts| counts.invariants.len()).sum();
    lines.push(match report.broken() {
        0 => styled(GOOD, format!("nothing broken: all {promises} promises held")),
        count => styled(
            BAD,
            format!("a promise was broken {count} times; {promises} were held against the engine"),
        ),
    });
    lines.join("\n")
}

/// The invariants by verdict.
fn invariants(counts: &AreaReport) -> String {
    let rows = counts.invariants.iter().map(|(name, tally)| {
        let counts = [tally.held, tally.vacuous, tally.broken].map(|count| count.to_string());
        std::iter::once((*name).to_owned()).chain(counts).collect()
    });
    out::table(&["invariant", "held", "vacuous", "broken"], rows)
}

/// How often each id of the area was reached, three to a line.
fn reached(area: &dyn AnyArea, counts: &AreaReport) -> String {
    let cells: Vec<[String; 2]> = area
        .reachable()
        .iter()
        .map(|id| [(*id).to_owned(), counts.reached(id).to_string()])
        .collect();
    let height = cells.len().div_ceil(3);
    let rows = (0..height).map(|row| {
        let columns = (0..3).map(|column| cells.get(row + column * height).cloned());
        columns.flat_map(Option::unwrap_or_default).collect()
    });
    out::table(&["id", "times", "id", "times", "id", "times"], rows)
}

/// A broken promise: what, where, how to see it again, and the file to paste.
fn broken(finding: &Finding, plant: Option<Planted>) -> String {
    let plant = plant.map(|mutant| format!(" --plant {}", mutant.name)).unwrap_or_default();
    let (seed, number) = (finding.origin.seed, finding.origin.number);
    let input: String = finding.input.chars().take(2_000).collect();
    format!(
        "{}\n  promise  {}\n  broken   {}\n  seen     seed {seed:#x}, case {number}\n  input    {input}\n  again    \
         pi-repair replay --seed {seed:#x} --case {number}{plant}\n  paste    into corpus/data/regressions/{}/NAME-THE-CAUSE.toml:\n{}\n",
        styled(BAD, finding.invariant),
        finding.promise,
        finding.says,
        finding.area,
        styled(DIM, &finding.regression),
    )
}
