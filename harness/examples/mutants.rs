//! Adds what `cargo mutants` found to the committed tables: `mutants OUTCOMES.json FOLDER`. A file that was
//! tested replaces its row in `files.tsv` and its lines in `survivors.tsv`; reasons written there stay.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// What `cargo mutants` writes; only what is counted here.
#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: Scenario,
    summary: String,
}

#[derive(Deserialize)]
enum Scenario {
    Baseline,
    Mutant(Mutant),
}

#[derive(Deserialize)]
struct Mutant {
    name: String,
    file: String,
}

/// How the mutants of one file ended.
#[derive(Clone, Copy, Default)]
struct Row {
    caught: u32,
    missed: u32,
    timed_out: u32,
    unviable: u32,
}

const FILES_HEAD: &str = "file\tcaught\tmissed\ttimed out\tunviable";
const SURVIVORS_HEAD: &str = "survivor\treason";

fn main() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [outcomes, folder] = arguments.as_slice() else {
        return Err("usage: mutants OUTCOMES.json FOLDER".to_owned());
    };
    let folder = Path::new(folder);
    let found: Outcomes = serde_json::from_str(&read(Path::new(outcomes))?)
        .map_err(|error| format!("{outcomes}: {error}"))?;
    let mut files = files_of(&read(&folder.join("files.tsv"))?)?;
    let mut survivors = survivors_of(&read(&folder.join("survivors.tsv"))?)?;
    merge(&found, &mut files, &mut survivors);
    write(&folder.join("files.tsv"), &files_page(&files))?;
    write(&folder.join("survivors.tsv"), &survivors_page(&survivors))?;
    tell(&files);
    Ok(())
}

/// Replaces the files that were tested; a reason stays with its mutant, wherever the line has moved.
fn merge(
    found: &Outcomes,
    files: &mut BTreeMap<String, Row>,
    survivors: &mut BTreeMap<String, String>,
) {
    let mut tested: BTreeMap<String, Row> = BTreeMap::new();
    let mut missed = Vec::new();
    for outcome in &found.outcomes {
        let Scenario::Mutant(mutant) = &outcome.scenario else { continue };
        let row = tested.entry(mutant.file.clone()).or_default();
        match outcome.summary.as_str() {
            "CaughtMutant" => row.caught += 1,
            "Timeout" => row.timed_out += 1,
            "Unviable" => row.unviable += 1,
            "MissedMutant" => {
                row.missed += 1;
                missed.push(mutant.name.clone());
            }
            // A run that was stopped: the mutant was not judged.
            _ => {}
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
        let [caught, missed, timed_out, unviable] = counts[..] else { return Err(wrong()) };
        rows.insert(file.to_owned(), Row { caught, missed, timed_out, unviable });
    }
    Ok(rows)
}

fn files_page(rows: &BTreeMap<String, Row>) -> String {
    let lines = rows.iter().map(|(file, row)| {
        let Row { caught, missed, timed_out, unviable } = row;
        format!("{file}\t{caught}\t{missed}\t{timed_out}\t{unviable}\n")
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

fn tell(files: &BTreeMap<String, Row>) {
    let total = |count: fn(&Row) -> u32| files.values().map(count).sum::<u32>();
    let killed = total(|row| row.caught + row.timed_out);
    let viable = killed + total(|row| row.missed);
    let share = f64::from(killed) * 100.0 / f64::from(viable.max(1));
    let text = format!(
        "{killed} of {viable} viable mutants killed ({share:.1}%), {} files\n",
        files.len()
    );
    // Nobody is there to hear that standard output is closed.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
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
