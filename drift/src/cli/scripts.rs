//! `pi-drift run`, `record` and `snapshot`: single scripts, and what came of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use corpus::{Script, Trace, View, parse_script};
use drift::child;
use drift::host::{self, Outcome};
use serde_json::json;

use super::Desk;
use super::out::{self, Failure, near};
use super::releases::{Pi, pi, releases};

/// Run one script and print what happened
///
/// Labels of all events with what was handed over, then the transcript; with --json the trace.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES, after_long_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// Name of a script in corpus/data/scripts, or a file
    script: String,
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "baseline")]
    pi: Vec<Pi>,
    /// Print the trace as JSON, one object a release
    #[arg(long)]
    json: bool,
}

const RUN_EXAMPLES: &str = "\
Examples:
  pi-drift run valid-call --pi 0.80.6 --pi 1.6.0
  pi-drift run ./mine.json --pi latest --json";

/// Write traces of scripts to corpus/data/traces
#[derive(Debug, clap::Args)]
pub(crate) struct RecordArgs {
    /// Names of scripts, or files
    #[arg(required = true)]
    scripts: Vec<String>,
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "baseline")]
    pi: Vec<Pi>,
    /// Folder that gets a folder for each release
    #[arg(long, value_name = "DIR", default_value = "corpus/data/traces")]
    into: PathBuf,
}

/// Print what a release says of itself: built-in schemas, definitions, error classes
///
/// One JSON object a release; compare two with any diff.
#[derive(Debug, clap::Args)]
pub(crate) struct SnapshotArgs {
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "latest")]
    pi: Vec<Pi>,
}

/// Scripts that only ask.
const SNAPSHOTS: &[&str] = &["builtin-schemas", "builtin-definitions", "error-classes"];

pub(crate) fn run(args: &RunArgs, desk: &Desk) -> Result<ExitCode, Failure> {
    let script = script(&args.script)?;
    for release in releases(&args.pi, desk)? {
        let pi = desk.get(release)?;
        let outcomes = host::run(&pi, &[&script], &mut |_| ())?;
        let trace = only(outcomes)?;
        let text = if args.json { serde_json::to_string_pretty(&trace)? } else { lines(&trace) };
        out::say(&text)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn record(args: &RecordArgs, desk: &Desk) -> Result<ExitCode, Failure> {
    let scripts = args.scripts.iter().map(|name| script(name)).collect::<Result<Vec<_>, _>>()?;
    for release in releases(&args.pi, desk)? {
        let pi = desk.get(release)?;
        let outcomes = host::run(&pi, &scripts.iter().collect::<Vec<_>>(), &mut |_| ())?;
        let folder = args.into.join(release.to_string());
        out::folder(&folder)?;
        for outcome in outcomes {
            let trace = outcome.map_err(Failure)?;
            let file = folder.join(format!("{}.json", trace.script));
            out::file(&file, &trace)?;
            out::say(&file.display().to_string())?;
        }
    }
    Ok(ended())
}

pub(crate) fn snapshot(args: &SnapshotArgs, desk: &Desk) -> Result<ExitCode, Failure> {
    let scripts = SNAPSHOTS.iter().map(|name| script(name)).collect::<Result<Vec<_>, _>>()?;
    for release in releases(&args.pi, desk)? {
        let pi = desk.get(release)?;
        let mut answers = serde_json::Map::new();
        for outcome in host::run(&pi, &scripts.iter().collect::<Vec<_>>(), &mut |_| ())? {
            let trace = outcome.map_err(Failure)?;
            let rows = trace.answers.into_iter().map(|row| (row.of, row.is));
            answers.insert(trace.script, rows.collect());
        }
        let page = json!({"pi": release.to_string(), "answers": answers});
        out::say(&serde_json::to_string_pretty(&page)?)?;
    }
    Ok(ended())
}

/// The status of what found nothing to complain of.
fn ended() -> ExitCode {
    if child::stopped() { super::stopped() } else { ExitCode::SUCCESS }
}

/// A script by name or by path.
fn script(given: &str) -> Result<Script, Failure> {
    let path = Path::new(given);
    if path.extension().is_some_and(|end| end == "json") {
        let text = fs::read_to_string(path)
            .map_err(|error| Failure(format!("{given} cannot be read: {error}")))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        return parse_script(&stem, text).map_err(|error| Failure(format!("{given}: {error}")));
    }
    let scripts = corpus::scripts()?;
    let names = || scripts.iter().map(|script| script.name.as_str());
    let near = near(given, names());
    let known = scripts.iter().position(|script| script.name == given);
    known.and_then(|at| scripts.into_iter().nth(at)).ok_or_else(|| {
        Failure(format!(
            "there is no script `{given}` in corpus/data/scripts{near}; a file needs its .json"
        ))
    })
}

fn only(outcomes: Vec<Outcome>) -> Result<Trace, Failure> {
    let none = || Failure("nothing came back".to_owned());
    outcomes.into_iter().next().ok_or_else(none)?.map_err(Failure)
}

fn lines(trace: &Trace) -> String {
    let mut text = format!("pi {}\n", trace.pi);
    for event in &trace.events {
        let saw = event.saw.as_ref().map_or(String::new(), |saw| format!("  {saw}"));
        text = format!("{text}{}{saw}\n", event.label());
    }
    for view in [View::Transcript, View::Entries, View::Errors, View::Failures, View::Answers] {
        for line in trace.view(view) {
            text = format!("{text}{view}: {line}\n");
        }
    }
    text
}
