//! `pi-repair verify`: the real cases, the peer's outcomes and generated cases, in one run.

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use corpus::Area;
use engine::host::HostProfile;
use harness::area::{self, AREAS, AnyArea, Lab, Planted};
use harness::campaign::{self, AreaReport, Finding, Progress, Report, Settings};
use harness::compare::{Comparison, compare};
use harness::score::{Score, Verdict, score};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::out::{self, BAD, DIM, Failure, GOOD, HEAD, styled};
use super::score::table as areas_table;

/// Run everything: real cases, the peer's outcomes, and generated cases held to every invariant
///
/// The same seed and count give the same digest on any number of threads. Ctrl-C stops early and
/// prints what held so far. Fails with status 1 if a wrong value was accepted, a difference to the
/// peer is unexplained, or an invariant is broken; a broken one is printed with its promise, seed,
/// a minimised input and a regression file to paste.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many cases to generate
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// The seed, decimal or 0x…
    #[arg(long, default_value = "0x5eed", value_parser = number)]
    seed: u64,
    /// Threads, at most 256; 0 means one for each core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=256))]
    threads: u16,
    /// Stop after so many minutes, whatever is left
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u64).range(1..))]
    minutes: Option<u64>,
    /// Run only the I-th of N equal parts of the cases, counted from 0
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = shard)]
    shard: (u64, u64),
    /// Attack only this area, all cases going to it; may be repeated
    #[arg(long = "area", value_name = "NAME", value_parser = area_name)]
    areas: Vec<&'static str>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Run an engine with this planted bug, to see it caught
    #[arg(long, hide = true, value_parser = mutant)]
    plant: Option<Planted>,
}

impl Default for Args {
    /// What `pi-repair` without a subcommand runs.
    fn default() -> Self {
        Self {
            cases: 100_000,
            seed: 0x5eed,
            threads: 0,
            minutes: None,
            shard: (0, 1),
            areas: Vec::new(),
            json: false,
            plant: None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pi-repair verify --cases 1000000 --seed 7
  pi-repair verify --area arguments --cases 20000
  pi-repair verify --minutes 30 --shard 0/4 --json > report.json";

/// Reads a number, decimal or hexadecimal.
pub(super) fn number(text: &str) -> Result<u64, String> {
    let read = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    read.map_err(|_| "write a whole number, decimal or 0x…".to_owned())
}

/// Finds an area.
pub(super) fn area_name(name: &str) -> Result<&'static str, String> {
    let names = || AREAS.iter().map(|row| row.area.name()).collect::<Vec<_>>().join(", ");
    area::named(name).map(AnyArea::name).ok_or_else(|| format!("there are: {}", names()))
}

/// Finds a planted bug.
pub(super) fn mutant(name: &str) -> Result<Planted, String> {
    let names = || area::mutants().iter().map(|mutant| mutant.name).collect::<Vec<_>>().join(", ");
    area::mutant(name).ok_or_else(|| format!("there are: {}", names()))
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts =
        text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    parts.filter(|(index, of)| index < of).ok_or_else(|| "write I/N with I below N".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let real = real_cases()?;
    let peer = compare(&corpus::outcomes()?, &corpus::tools()?)?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without the handler Ctrl-C ends the run at once: less to read, nothing lost.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let settings = Settings {
        cases: args.cases,
        seed: args.seed,
        threads: args.threads.into(),
        shard: args.shard,
        time_max: args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
        ..Settings::default()
    };
    let lab = Lab::with(&args.areas, args.plant.map(|mutant| mutant.name));
    let bar = Bar::new(args.cases / args.shard.1);
    let report = campaign::run(&settings, &lab, &bar, &stop);
    bar.finish();
    if args.json {
        out::say_json(&to_json(&report, &real, &peer))?;
    } else {
        out::say(&render(&report, &real, &peer, args.plant))?;
    }
    let good = report.broken() == 0 && real.of(Verdict::Wrong) == 0 && peer.unexplained.is_empty();
    let interrupted = stop.load(Ordering::Relaxed);
    Ok(ExitCode::from(if !good {
        1
    } else if interrupted {
        130
    } else {
        0
    }))
}

/// The score of the real cases that come with the corpus.
fn real_cases() -> Result<Score, Failure> {
    let mut cases = corpus::cases(Area::Arguments)?;
    for area in [Area::ToolNames, Area::Leaks, Area::ProviderErrors] {
        cases.extend(corpus::cases(area)?);
    }
    Ok(score(&cases, Some(HostProfile::Pi15))?)
}

/// The bar on standard error; where nobody watches, it stays away.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new(cases: u64) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(cases);
        let look = "{bar:32} {human_pos} of {human_len} cases, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(look) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn advance(&self, cases: u64) {
        self.0.inc(cases);
    }
}

fn to_json(report: &Report, real: &Score, peer: &Comparison) -> serde_json::Value {
    let mut all = report.to_json();
    if let Some(members) = all.as_object_mut() {
        let areas = real.to_json().get("areas").cloned();
        members.insert("real".into(), areas.unwrap_or_default());
        members.insert("peer".into(), peer_counts(peer));
    }
    all
}

fn peer_counts(peer: &Comparison) -> serde_json::Value {
    let deliberate: usize = peer.deliberate.values().sum();
    json!({"same": peer.same, "deliberate": deliberate, "unexplained": peer.unexplained.len()})
}

fn render(report: &Report, real: &Score, peer: &Comparison, plant: Option<Planted>) -> String {
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
    lines.push(match report.broken() {
        0 => styled(GOOD, "nothing broken"),
        count => styled(BAD, format!("{count} broken")),
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
