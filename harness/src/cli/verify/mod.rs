//! `pi-repair verify`: the real cases, the peer's outcomes and generated cases, in one run.

mod keep;
mod tables;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use corpus::Area;
use engine::host::HostProfile;
use harness::area::{self, AREAS, AnyArea, Lab, Planted};
use harness::campaign::state::Setup;
use harness::campaign::{self, Begun, Progress, Report, Settings};
use harness::compare::{Comparison, compare};
use harness::page::{self, Facts};
use harness::score::{Score, Verdict, score};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::files;
use super::out::{self, Failure};
use keep::{Keep, Watch};

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
    /// Keep the campaign in FILE: begin it there, or go on where it stopped
    ///
    /// Written every few seconds and at the end, also after Ctrl-C. Whatever the interruptions, counts
    /// and digest are those of one run; a file of another seed, engine or setting is refused.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Write what was found as one web page that needs nothing else
    ///
    /// Verdicts with vacuity, features by outcome, cost by stage, the slowest inputs, and each failure
    /// with the command that shows it again.
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
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
            resume: None,
            report: None,
            json: false,
            plant: None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pi-repair verify --cases 1000000 --seed 7
  pi-repair verify --area arguments --cases 20000
  pi-repair verify --minutes 30 --shard 0/4 --json > report.json
  pi-repair verify --cases 20000 --report report.html
  pi-repair verify --cases 50000000 --resume campaign.json
      Ctrl-C stops it, the same command goes on";

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
    let report = campaign(args, &settings, &lab, &stop)?;
    if let Some(path) = &args.report {
        let facts = Facts {
            report: &report,
            settings: &settings,
            lab: &lab,
            real: &real,
            peer: &peer,
            plant: args.plant,
        };
        files::write(path, &page::render(facts))?;
    }
    if args.json {
        out::say_json(&to_json(&report, &real, &peer))?;
    } else {
        out::say(&tables::render(&report, &real, &peer, args.plant))?;
        if let Some(path) = &args.report {
            out::say(&format!("report written to {}", path.display()))?;
        }
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

/// Runs the campaign, or goes on with it.
fn campaign(
    args: &Args,
    settings: &Settings,
    lab: &Lab,
    stop: &AtomicBool,
) -> Result<Report, Failure> {
    let plant = args.plant.map(|mutant| mutant.name);
    let keep = args.resume.clone().map(|path| Keep::new(path, Setup::new(settings, lab, plant)));
    let mut begun = match &keep {
        Some(keep) => keep.begin(settings, lab)?,
        None => Begun::new(settings.seed),
    };
    let bar = Bar::new(args.cases / args.shard.1);
    bar.advance(begun.report.cases);
    let watch = Watch { bar: &bar, keep: keep.as_ref() };
    campaign::go_on(settings, lab, &mut begun, &watch, stop);
    bar.finish();
    if let Some(keep) = &keep {
        keep.write(&begun);
        if let Some(trouble) = keep.trouble() {
            out::complain(&Failure(trouble));
        }
    }
    campaign::make_small(&mut begun.report, settings, lab);
    Ok(begun.report)
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
