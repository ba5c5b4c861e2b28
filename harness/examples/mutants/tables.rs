//! The committed tables: a file that was tested replaces its row in `files.tsv` and its lines in
//! `survivors.tsv`; reasons written there stay.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::Deserialize;

/// How a mutant ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ended {
    /// A test failed.
    Caught,
    /// No test failed.
    Missed,
    /// A test did not end.
    TimedOut,
    /// It does not compile.
    Unviable,
    /// It was not judged.
    NotTried,
}

/// What became of one mutant.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) ended: Ended,
}

/// What `cargo mutants` writes; only what is counted here.
#[derive(Deserialize)]
struct Written {
    outcomes: Vec<WrittenOutcome>,
}

#[derive(Deserialize)]
struct WrittenOutcome {
    scenario: Scenario,
    summary: String,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant(Named),
}

#[derive(Deserialize)]
struct Named {
    name: String,
    file: String,
}

/// Reads what `cargo mutants` found.
pub(crate) fn outcomes_of(path: &Path) -> Result<Vec<Outcome>, String> {
    let found: Written = serde_json::from_str(&read(path)?)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let rows = found.outcomes.into_iter().filter_map(|row| {
        let Scenario::Mutant(Named { name, file }) = row.scenario else { return None };
        let ended = match row.summary.as_str() {
            "CaughtMutant" => Ended::Caught,
            "MissedMutant" => Ended::Missed,
            "Timeout" => Ended::TimedOut,
            "Unviable" => Ended::Unviable,
            // A run that was stopped.
            _ => Ended::NotTried,
        };
        Some(Outcome { name, file, ended })
    });
    Ok(rows.collect())
}

/// How the mutants of one file ended.
#[derive(Clone, Copy, Default)]
struct Row {
    caught: u32,
    missed: u32,
    timed_out: u32,
    unviable: u32,
    not_tried: u32,
}

const FILES_HEAD: &str = "file\tcaught\tmissed\ttimed out\tunviable\tnot tried";
const SURVIVORS_HEAD: &str = "survivor\treason";

/// Adds what was found to the tables in a folder, and tells the score.
pub(crate) fn add(outcomes: &[Outcome], folder: &Path) -> Result<(), String> {
    let mut files = files_of(&read(&folder.join("files.tsv"))?)?;
    let mut survivors = survivors_of(&read(&folder.join("survivors.tsv"))?)?;
    merge(outcomes, &mut files, &mut survivors);
    write(&folder.join("files.tsv"), &files_page(&files))?;
    write(&folder.join("survivors.tsv"), &survivors_page(&survivors))?;
    tell(&files, &survivors);
    Ok(())
}

/// Replaces the files that were tested; a reason stays with its mutant, wherever the line has moved.
fn merge(
    found: &[Outcome],
    files: &mut BTreeMap<String, Row>,
    survivors: &mut BTreeMap<String, String>,
) {
    let mut tested: BTreeMap<String, Row> = BTreeMap::new();
    let mut missed = Vec::new();
    for outcome in found {
        let row = tested.entry(outcome.file.clone()).or_default();
        match outcome.ended {
            Ended::Caught => row.caught += 1,
            Ended::TimedOut => row.timed_out += 1,
            Ended::Unviable => row.unviable += 1,
            Ended::NotTried => row.not_tried += 1,
            Ended::Missed => {
                row.missed += 1;
                missed.push(outcome.name.clone());
            }
        }
    }
    let reasons: BTreeMap<String, String> =
        survivors.iter().map(|(name, reason)| (place_free(name), reason.clone())).collect();
    survivors.retain(|name, _| !tested.contains_key(file_of(name)));
    for name in missed {
        let reason = reasons.get(&place_free(&name)).cloned().unwrap_or_default();
        survivors.insert(name, reason);
    }
    files.extend(tested);
}

fn file_of(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// A mutant's name without its line and column, which move with every edit above it.
fn place_free(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    let file = parts.next().unwrap_or_default();
    format!("{file}:{}", parts.nth(2).unwrap_or_default())
}

fn files_of(text: &str) -> Result<BTreeMap<String, Row>, String> {
    let mut rows = BTreeMap::new();
    for line in text.lines().skip(1) {
        let wrong = || format!("files.tsv: `{line}` is not `{FILES_HEAD}`");
        let mut cells = line.split('\t');
        let file = cells.next().ok_or_else(wrong)?;
        let counts: Vec<u32> = cells.filter_map(|cell| cell.parse().ok()).collect();
        let [caught, missed, timed_out, unviable, not_tried] = counts[..] else {
            return Err(wrong());
        };
        rows.insert(file.to_owned(), Row { caught, missed, timed_out, unviable, not_tried });
    }
    Ok(rows)
}

fn files_page(rows: &BTreeMap<String, Row>) -> String {
    let lines = rows.iter().map(|(file, row)| {
        let Row { caught, missed, timed_out, unviable, not_tried } = row;
        format!("{file}\t{caught}\t{missed}\t{timed_out}\t{unviable}\t{not_tried}\n")
    });
    std::iter::once(format!("{FILES_HEAD}\n")).chain(lines).collect()
}

fn survivors_of(text: &str) -> Result<BTreeMap<String, String>, String> {
    let rows = text.lines().skip(1).map(|line| {
        let (name, reason) = line
            .split_once('\t')
            .ok_or_else(|| format!("survivors.tsv: `{line}` is not `{SURVIVORS_HEAD}`"))?;
        Ok((name.to_owned(), reason.to_owned()))
    });
    rows.collect()
}

fn survivors_page(rows: &BTreeMap<String, String>) -> String {
    let lines = rows.iter().map(|(name, reason)| format!("{name}\t{reason}\n"));
    std::iter::once(format!("{SURVIVORS_HEAD}\n")).chain(lines).collect()
}

fn tell(files: &BTreeMap<String, Row>, survivors: &BTreeMap<String, String>) {
    let total = |count: fn(&Row) -> u32| files.values().map(count).sum::<u32>();
    let killed = total(|row| row.caught + row.timed_out);
    let viable = killed + total(|row| row.missed);
    let share = f64::from(killed) * 100.0 / f64::from(viable.max(1));
    let reasoned = survivors.values().filter(|reason| !reason.is_empty()).count();
    say(&format!(
        "{killed} of {viable} viable mutants killed ({share:.1}%), {} files; {} of {} survivors have a reason\n",
        files.len(),
        reasoned,
        survivors.len()
    ));
}

/// Prints; nobody is there to hear that standard output is closed.
pub(crate) fn say(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// A table that is not there yet is empty.
fn read(path: &Path) -> Result<String, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
