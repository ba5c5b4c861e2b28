//! The command line: one file and one row of [`Command`] for each subcommand.

mod advise;
mod catalog;
mod compare;
mod conform;
mod explain;
mod files;
mod host;
mod out;
mod replay;
mod scan;
mod score;
mod serve;
mod shrink;
mod stats;
mod stop;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use out::Failure;

/// Repairs malformed tool calls of language models where the repair can be proven, refuses the
/// rest, and shows why.
///
/// Without a subcommand: `verify`, which runs everything.
#[derive(Debug, Parser)]
#[command(name = "pi-repair", version, after_long_help = EXAMPLES, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair
      the real cases, the peer's outcomes and 100,000 generated calls
  pi-repair explain --tool edit --model glm-4.6 '{\"file_path\":\"a.rs\",\"edits\":[]}'
      what the engine reads, changes or refuses, stage by stage
  pi-repair scan --model qwen3-coder answer.md
      calls that a model printed as text: where, and whether they would run
  pi-repair advise error.txt
      what a provider's error means, and what the model would be told
  pi-repair score corpus/data/cases/arguments.jsonl
      real failures by right, allowed, refused and wrong
  pi-repair compare corpus/data/differential/outcomes.jsonl corpus/data/differential/tools.json
      this engine beside the TypeScript engine, each difference with its reason
  pi-repair stats ~/.pi/agent/tool-repair/telemetry.jsonl
      what the extension repaired and refused, by tool, model, rule and day
  pi-repair conform -- node harness/adapters/npm_jsonrepair.mjs
      any other engine, held to the same promises

Exit status: 0 as hoped, 1 if a promise is broken (a wrong value, an unexplained difference),
2 for a file, an option or an input that cannot be used, 130 if stopped by Ctrl-C.";

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Args),
    Score(score::Args),
    Compare(compare::Args),
    Explain(explain::Args),
    Scan(scan::Args),
    Advise(advise::Args),
    Replay(replay::Args),
    Shrink(shrink::Args),
    Stats(stats::Args),
    Conform(conform::Args),
    Serve(serve::Args),
    Catalog(catalog::Args),
}

impl Command {
    fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Verify(args) => verify::run(&args),
            Self::Score(args) => score::run(&args),
            Self::Compare(args) => compare::run(&args),
            Self::Explain(args) => explain::run(&args),
            Self::Scan(args) => scan::run(&args),
            Self::Advise(args) => advise::run(&args),
            Self::Replay(args) => replay::run(&args),
            Self::Shrink(args) => shrink::run(&args),
            Self::Stats(args) => stats::run(&args),
            Self::Conform(args) => conform::run(&args),
            Self::Serve(args) => serve::run(&args),
            Self::Catalog(args) => catalog::run(&args),
        }
    }
}

/// Runs the command line; what cannot be used is said on standard error, with status 2.
pub(crate) fn run() -> ExitCode {
    let done = match Cli::parse().command {
        Some(command) => command.run(),
        None => verify::run(&verify::Args::default()),
    };
    done.unwrap_or_else(|failure| {
        out::complain(&failure);
        ExitCode::from(2)
    })
}
