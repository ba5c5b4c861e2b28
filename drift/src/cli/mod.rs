//! The command line: one file and one row of [`Command`] for each subcommand.

mod chaos;
mod check;
mod compare;
mod explore;
mod ledger;
mod out;
mod releases;
mod scripts;
mod versions;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use corpus::Release;
use drift::child;
use drift::install::{Cache, Installed};

use out::{Bar, Failure};

/// Runs scripts in the real pi, release by release, and checks what the engine takes for granted.
///
/// Nothing is needed but npm: a Node that pi accepts comes with the pins. Releases are installed
/// once, into the cache; after that no network is used.
#[derive(Debug, Parser)]
#[command(name = "pi-drift", version, after_long_help = EXAMPLES, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Folder of installed releases [default: pi-drift in the user's cache folder]
    #[arg(long, global = true, value_name = "DIR", env = "PI_DRIFT_CACHE")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift check --pi baseline --pi latest
      every claim on the oldest supported release and on the newest one
  pi-drift run valid-call --pi 1.6.0
      what happens, event by event
  pi-drift report --pi latest > issue.md
      the same check as a page for an issue

Exit status: 0 as recorded, 1 if something drifted, 2 if it could not be run, 130 if stopped by
Ctrl-C.";

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Report(check::ReportArgs),
    Explore(explore::Args),
    Compare(compare::Args),
    Run(scripts::RunArgs),
    Record(scripts::RecordArgs),
    Snapshot(scripts::SnapshotArgs),
    Versions(versions::Args),
    Ledger(ledger::Args),
    Chaos(chaos::Args),
}

/// What every subcommand works with.
pub(crate) struct Desk {
    cache: Cache,
}

impl Desk {
    /// A release, installed now if it is not here; whoever watches `bar` sees that.
    pub(crate) fn get(&self, release: Release, bar: &Bar) -> Result<Installed, Failure> {
        if self.cache.find(release).is_none() {
            bar.stage(&format!("installing pi {release} with npm, about half a minute"));
        }
        Ok(self.cache.get(release)?)
    }
}

/// The status of something the user put an end to.
pub(crate) const STOPPED: u8 = 130;

/// Runs the command line; what cannot be run is said on standard error, with status 2.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    let desk = Desk { cache: Cache::new(cli.cache) };
    // Without the handler Ctrl-C ends us at once, and may leave a half-filled folder behind.
    let _ = ctrlc::set_handler(child::stop_all);
    let done = match cli.command {
        Command::Check(args) => check::run(&args, &desk),
        Command::Report(args) => check::report(&args, &desk),
        Command::Explore(args) => explore::run(&args, &desk),
        Command::Compare(args) => compare::run(&args, &desk),
        Command::Run(args) => scripts::run(&args, &desk),
        Command::Record(args) => scripts::record(&args, &desk),
        Command::Snapshot(args) => scripts::snapshot(&args, &desk),
        Command::Versions(args) => versions::run(&args, &desk),
        Command::Ledger(args) => ledger::run(&args),
        Command::Chaos(args) => chaos::run(&args),
    };
    done.unwrap_or_else(|failure| {
        if child::stopped() {
            return ExitCode::from(STOPPED);
        }
        out::complain(&failure);
        ExitCode::from(2)
    })
}
