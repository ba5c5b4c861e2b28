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

use std::ffi::OsString;
use std::process::ExitCode;
use std::thread;

use clap::{Parser, Subcommand};
use corpus::Release;
use drift::child;
use drift::install::{Cache, Installed, Latest};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use out::{Bar, Failure};

/// Runs scripts in the real pi, release by release, and checks what the engine takes for granted.
///
/// Nothing is needed but npm: a Node that pi accepts comes with the pins. Releases are installed
/// once, into the cache; after that only `latest` and `versions` ask the registry.
#[derive(Debug, Parser)]
#[command(name = "pi-drift", version, after_long_help = EXAMPLES, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Folder of installed releases [default: pi-drift in the user's cache folder]
    // Any text, so that an empty one in the environment is as good as none.
    #[arg(long, global = true, value_name = "DIR", env = "PI_DRIFT_CACHE", hide_env_values = true)]
    cache: Option<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift check --pi baseline --pi latest
      every claim on the oldest supported release and on the newest one
  pi-drift run valid-call --pi 1.6.0
      what happens, event by event
  pi-drift report --pi latest > issue.md
      the same check as a page for an issue

Ctrl-C or SIGTERM ends what runs, leaves nothing behind, and prints what was found until then.

Exit status: 0 as recorded, 1 if something drifted, 2 if it could not be run, 130 if stopped.";

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
    /// A release, installed now if it is not here; what is waited for is said.
    fn get(&self, release: Release) -> Result<Installed, Failure> {
        let missing = self.cache.find(release).is_none();
        let stage = format!("installing pi {release} with npm, about half a minute");
        let waiting = missing.then(|| Bar::waiting(&stage));
        let installed = self.cache.get(release);
        drop(waiting);
        Ok(installed?)
    }

    /// The newest release.
    fn latest(&self) -> Result<Latest, Failure> {
        let waiting = Bar::waiting("asking the registry for the newest release");
        let latest = self.cache.latest();
        drop(waiting);
        Ok(latest?)
    }
}

/// Runs the command line; what cannot be run is said on standard error, with status 2.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    let cache = cli.cache.filter(|folder| !folder.is_empty());
    let desk = Desk { cache: Cache::new(cache.map(Into::into)) };
    // Without this Ctrl-C or SIGTERM ends us at once, and may leave a half-filled folder behind.
    // SIGHUP is left alone: what `nohup` started goes on.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        thread::spawn(move || signals.forever().for_each(|_| child::stop_all()));
    }
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
            out::note("stopped; there is nothing to show yet");
            return stopped();
        }
        out::complain(&failure);
        ExitCode::from(2)
    })
}

/// The status of a command that the user stopped.
fn stopped() -> ExitCode {
    ExitCode::from(130)
}
