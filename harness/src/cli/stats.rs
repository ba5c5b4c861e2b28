//! `pi-repair stats`: what a telemetry file holds, counted.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anstyle::{AnsiColor, Style};
use comfy_table::Table;
use engine::telemetry::{By, LogReader, Look, Skipped, Stats, day_named};
use serde_json::json;

use super::files;
use super::out::{self, DIM, FAIR, Failure, HEAD, styled};

/// Milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

/// Bytes that are read at once; beside these, one line is held.
const CHUNK: usize = 64 * 1024;

/// Columns where no terminal says.
const WIDTH_PIPED: usize = 80;

/// Count what a telemetry file holds: by outcome, tool, model, rule, reason, place and day
///
/// FILE is the extension's telemetry.jsonl, one record a line; records of older versions and of
/// pi-repair-layer are read too. A record says which tool, model and rule, and never a value; its
/// form stands in `extension/docs/operations.md`. A damaged file is read as far as it goes: torn,
/// foreign and newer lines are skipped and counted. Files of any size are read in a few hundred
/// kilobytes.
///
/// A call that needed no repair is fine (valid, deferred), one that could not be repaired is refused
/// (unrepairable), and all else is treated: a call that was repaired, one that stood in text, and a
/// note to the model about a failed request (noted). Bars and counts show what was treated or refused.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The telemetry file; `-` is standard input
    file: PathBuf,
    /// Only this section, with all its rows; may be given more than once
    #[arg(long, value_name = "SECTION", value_parser = section)]
    by: Vec<By>,
    /// Only records from this day on, YYYY-MM-DD in UTC
    #[arg(long, value_name = "DAY", value_parser = day, conflicts_with = "days")]
    since: Option<u64>,
    /// Only the last so many days, today among them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    days: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair stats ~/.pi/agent/tool-repair/telemetry.jsonl
  pi-repair stats telemetry.jsonl --by rule --by model --days 7
  zcat old.jsonl.gz | pi-repair stats - --json

Exit status: 0, also where lines were skipped, and for an empty file, which counts as no records;
2 if the file cannot be read, or holds lines and not one of them is a record.";

fn section(name: &str) -> Result<By, String> {
    let names = || By::ALL.iter().map(|row| row.1).collect::<Vec<_>>().join(", ");
    By::from_name(name).ok_or_else(|| format!("there are: {}", names()))
}

fn day(text: &str) -> Result<u64, String> {
    day_named(text).ok_or_else(|| "write a day as YYYY-MM-DD".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let since = args.since.or_else(|| {
        let days = args.days?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Some((now.as_secs() / 86_400 + 1).saturating_sub(days))
    });
    let name = files::name(&args.file);
    let (stats, skipped, left_out) = count(&args.file, since)
        .map_err(|error| Failure(format!("{name}: cannot be read: {error}; check the path")))?;
    if stats.records() + left_out == 0 && skipped.total() > 0 {
        let why = skipped.explained().join("; ");
        return Err(Failure(format!("{name}: holds no record; skipped {why}")));
    }
    if args.json {
        out::say_json(&to_json(&stats, skipped, left_out, &args.by))?;
    } else {
        out::say(&render(&stats, skipped, left_out, args))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts a file from the day `since` on; also says what was skipped, and how many were older.
fn count(path: &Path, since: Option<u64>) -> std::io::Result<(Stats, Skipped, u64)> {
    let mut input: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(std::io::stdin().lock()),
        _ => Box::new(File::open(path)?),
    };
    let (mut stats, mut left_out) = (Stats::default(), 0);
    let from = since.unwrap_or_default().saturating_mul(DAY_MS);
    let mut each = |record: engine::telemetry::Record| {
        if record.time() >= from {
            stats.add(&record);
        } else {
            left_out += 1;
        }
    };
    let mut reader = LogReader::default();
    let mut chunk = vec![0; CHUNK];
    loop {
        match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => reader.push(&chunk[..read], &mut each),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let skipped = reader.finish(&mut each);
    Ok((stats, skipped, left_out))
}

fn to_json(stats: &Stats, skipped: Skipped, left_out: u64, by: &[By]) -> serde_json::Value {
    let mut all = stats.to_json(by);
    if let Some(members) = all.as_object_mut() {
        let Skipped { torn, foreign, newer } = skipped;
        members.insert("older".into(), left_out.into());
        members.insert("skipped".into(), json!({"torn": torn, "foreign": foreign, "newer": newer}));
    }
    all
}

fn render(stats: &Stats, skipped: Skipped, left_out: u64, args: &Args) -> String {
    let codes = |style: Style| (style.render().to_string(), style.render_reset().to_string());
    let (head, bar, dim) = (codes(HEAD), codes(AnsiColor::Cyan.on_default()), codes(DIM));
    let look = Look { heading: (&head.0, &head.1), bar: (&bar.0, &bar.1), dim: (&dim.0, &dim.1) };
    let width = Table::new().width().map_or(WIDTH_PIPED, usize::from);
    let mut page = stats.text(&args.by, width, &look);
    if left_out > 0 {
        let records = if left_out == 1 { "record is" } else { "records are" };
        page.push_str(&styled(DIM, format!("\n{left_out} older {records} not counted")));
    }
    if skipped.total() > 0 {
        page.push_str(&styled(FAIR, "\nSkipped"));
        for line in skipped.explained() {
            page.push_str("\n  ");
            page.push_str(&line);
        }
    }
    page
}
