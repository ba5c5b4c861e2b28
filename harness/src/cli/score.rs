//! `pi-repair score`: real failures by right, allowed, refused and wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::Style;
use corpus::Area;

use harness::score::{Score, Tally, Verdict, score};
use serde_json::Value;

use super::files;
use super::host::{self, HostChoice};
use super::out::{self, BAD, FAIR, Failure, GOOD, HEAD, styled};

/// Score real failures: right, allowed, refused and wrong, by area
///
/// Each file holds one case a line, in the format of `corpus/data/cases/README.md`. Fails with
/// status 1 if a value was accepted that nobody wanted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of cases, one JSON object a line; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The host whose conversion runs after the engine: pi-1.5, pi-0.85, pi-0.80 or none
    #[arg(long, value_parser = host::parse, default_value = "pi-1.5")]
    host: HostChoice,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut total = Score::default();
    for path in &args.files {
        let file = path.display().to_string();
        let text = files::read(path)?;
        let cases = corpus::parse_cases(&file, &text)?;
        let one = score(&cases, args.host.0).map_err(|error| match line_of(&text, &error.id) {
            Some(line) => Failure(format!("{file}:{line}: {error}")),
            None => Failure(format!("{file}: {error}")),
        })?;
        total.cases.extend(one.cases);
        if cases.is_empty() {
            return Err(Failure(format!("{file}: holds no case; write one JSON object a line")));
        }
    }
    if args.json {
        out::say_json(&total.to_json())?;
    } else {
        out::say(&render(&total))?;
    }
    Ok(ExitCode::from(u8::from(total.of(Verdict::Wrong) > 0)))
}

/// The line on which the case stands, counted from 1.
fn line_of(text: &str, id: &str) -> Option<usize> {
    let holds = |line: &str| {
        serde_json::from_str::<Value>(line).is_ok_and(|row| row.get("id") == Some(&id.into()))
    };
    text.lines().position(holds).map(|before| before + 1)
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Right | Verdict::Allowed => GOOD,
        Verdict::Refused => FAIR,
        Verdict::Wrong => BAD,
    }
}

fn render(score: &Score) -> String {
    let mut lines = Vec::new();
    if !score.cases.is_empty() {
        lines.push(table(score));
    }
    for case in score.cases.iter().filter(|case| case.verdict != Verdict::Right) {
        let verdict = styled(style(case.verdict), case.verdict);
        lines.push(format!("{verdict} {}", styled(HEAD, &case.id)));
        lines.push(format!("  wanted {}", case.wanted));
        lines.push(format!("  got    {}", shown(&case.got)));
    }
    lines.join("\n")
}

/// The areas by verdict.
pub(super) fn table(score: &Score) -> String {
    let mut header = vec!["area"];
    header.extend(Verdict::ALL.map(Verdict::name));
    let row = |(area, tally): (Area, Tally)| {
        let mut row = vec![area.to_string()];
        row.extend(Verdict::ALL.map(|verdict| tally.of(verdict).to_string()));
        row
    };
    out::table(&header, score.areas().into_iter().map(row))
}

/// An outcome on one line.
fn shown(got: &Value) -> String {
    let text = |name: &str| got.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    let call = if name.is_empty() { String::new() } else { format!(" `{name}`") };
    match got.get("args") {
        Some(args) => format!("{}{call} {args}", text("outcome")),
        None => format!("{}{call} ({})", text("outcome"), text("reason")),
    }
}
