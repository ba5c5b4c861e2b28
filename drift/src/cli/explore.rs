//! `pi-drift explore`: generated scripts, in the scripted loop and in the real pi.

use std::process::ExitCode;

use drift::child;
use drift::explore::{Explored, Plan, explore};
use serde_json::json;

use super::Desk;
use super::out::{self, Bar, Failure};
use super::releases::{Pi, pi, releases};

/// Run generated scripts in the scripted loop and in the real pi, and print where they part
///
/// Each difference is made small first. Equal seeds make equal scripts. Ctrl-C ends it early and prints what
/// was compared so far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "baseline")]
    pi: Vec<Pi>,
    /// Seeds the scripts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first script
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many scripts a release
    #[arg(long, default_value_t = 200)]
    cases: u64,
    /// Print one JSON object a release
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift explore --pi 0.80.6 --pi 1.6.0 --seed 1 --cases 2000
  pi-drift explore --pi latest --first 137 --cases 1
      one case again";

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    let plan = Plan { seed: args.seed, first: args.first, cases: args.cases };
    let mut parted = 0;
    for release in releases(&args.pi, desk)? {
        let pi = desk.get(release)?;
        let steps = usize::try_from(args.cases).unwrap_or(usize::MAX);
        let bar = Bar::new(steps, &format!("pi {release}: {} generated scripts", args.cases));
        let explored = explore(&pi, plan, &mut |_| bar.step())?;
        drop(bar);
        parted += explored.partings.len();
        let release = release.to_string();
        out::say(&if args.json {
            page(&release, args, &explored)?
        } else {
            told(&release, args, &explored)
        })?;
        if child::stopped() {
            return Ok(super::stopped());
        }
    }
    Ok(if parted == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn page(release: &str, args: &Args, explored: &Explored) -> Result<String, Failure> {
    let partings: Vec<_> = explored
        .partings
        .iter()
        .map(|it| json!({"case": it.case, "difference": it.difference, "script": it.script}))
        .collect();
    let page = json!({
        "pi": release, "seed": args.seed, "first": args.first, "cases": args.cases,
        "stopped": child::stopped(), "compared": explored.compared,
        "skipped": explored.skipped.values().sum::<usize>(), "why_skipped": explored.skipped,
        "late": explored.late, "partings": partings,
    });
    Ok(serde_json::to_string_pretty(&page)?)
}

fn told(release: &str, args: &Args, explored: &Explored) -> String {
    let Explored { compared, skipped, late, partings } = explored;
    let mut text = format!(
        "pi {release}: {} scripts compared, {} cannot be played, {} on which the two part\n",
        out::so_far(*compared, args.cases),
        skipped.values().sum::<usize>(),
        partings.len()
    );
    for (why, count) in skipped {
        text = format!("{text}  {count} cannot be played: {why}\n");
    }
    if *late > 0 {
        text = format!("{text}  {late} parted once, and agreed when pi ran them again\n");
    }
    for parting in partings {
        let script = serde_json::to_string(&parting.script).unwrap_or_default();
        text = format!("{text}\ncase {}: {}\n{script}\n", parting.case, parting.difference);
    }
    text
}
