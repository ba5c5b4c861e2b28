//! A campaign put aside in a file, to be gone on with another day.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{AreaReport, BATCH, Begun, Finding, Origin, Report, Settings, mine, run_batch};
use crate::area::{Digest, Lab};

/// The first line of what a file says of itself; another layout gets another number.
const FORMAT: &str = "pi-repair campaign, layout 1";

/// What makes one campaign another. How long it runs and on how many threads is no part of it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Setup {
    /// The version of engine and harness.
    pub version: String,
    /// The seed.
    pub seed: u64,
    /// Cases in all.
    pub cases: u64,
    /// Which part of the cases, and of how many.
    pub shard: (u64, u64),
    /// Cases in a batch.
    pub batch: u64,
    /// The areas that are attacked.
    pub areas: Vec<String>,
    /// The planted bug.
    pub plant: Option<String>,
}

impl Setup {
    /// The setup of a campaign in this lab.
    pub fn new(settings: &Settings, lab: &Lab, plant: Option<&str>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: settings.seed,
            cases: settings.cases,
            shard: settings.shard,
            batch: BATCH,
            areas: lab.areas().map(str::to_owned).collect(),
            plant: plant.map(str::to_owned),
        }
    }

    /// The first thing in which another setup differs: its name, what it is here, and what it is there.
    fn differs(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let parts = |setup: &Self| {
            let (index, of) = setup.shard;
            [
                ("version", setup.version.clone()),
                ("seed", format!("{:#x}", setup.seed)),
                ("number of cases", setup.cases.to_string()),
                ("shard", format!("{index}/{of}")),
                ("size of a batch", setup.batch.to_string()),
                ("list of areas", setup.areas.join(", ")),
                ("planted bug", setup.plant.clone().unwrap_or_else(|| "none".to_owned())),
            ]
        };
        let pairs = parts(self).into_iter().zip(parts(other));
        pairs.map(|((name, here), (_, there))| (name, here, there)).find(|row| row.1 != row.2)
    }
}

/// A file that cannot be gone on with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StateError {
    /// It holds no campaign.
    Unreadable(String),
    /// It holds another campaign.
    Differs {
        /// In what.
        what: &'static str,
        /// As the file has it.
        there: String,
        /// As it was asked for.
        here: String,
    },
    /// The first batch comes out differently now.
    Changed,
}

impl fmt::Display for StateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => {
                write!(out, "holds no campaign that can be gone on with: {why}")
            }
            Self::Differs { what, there, here } => write!(
                out,
                "belongs to another campaign: its {what} is {there}, not {here}; give the same options as then, \
                 or another file"
            ),
            Self::Changed => out.write_str(
                "belongs to another engine or harness: its first batch comes out differently now; \
                 begin anew with another file",
            ),
        }
    }
}

impl std::error::Error for StateError {}

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    setup: Setup,
    batches: u64,
    first: String,
    digest: String,
    cases: u64,
    areas: BTreeMap<String, Value>,
    findings: Vec<Value>,
}

/// The text of a file that holds `begun`.
///
/// # Panics
///
/// Never: all that it holds is text and numbers.
pub fn write(setup: &Setup, begun: &Begun) -> String {
    let Begun { batches, first, report } = begun;
    let areas = report.areas.iter();
    let file = File {
        format: FORMAT.to_owned(),
        setup: setup.clone(),
        batches: *batches,
        first: first.to_string(),
        digest: report.digest.to_string(),
        cases: report.cases,
        areas: areas.map(|(name, area)| ((*name).to_owned(), json!(area))).collect(),
        findings: report.findings.iter().map(|finding| json!(finding)).collect(),
    };
    serde_json::to_string(&file).expect("text and numbers can be written")
}

/// Reads what [`write()`] wrote for the same campaign.
///
/// # Errors
///
/// A text that holds no campaign, or another one.
pub fn read(text: &str, setup: &Setup) -> Result<Begun, StateError> {
    let file: File = serde_json::from_str(text).map_err(unreadable)?;
    if file.format != FORMAT {
        return Err(unreadable(format!("it says `{}`, not `{FORMAT}`", file.format)));
    }
    if let Some((what, here, there)) = setup.differs(&file.setup) {
        return Err(StateError::Differs { what, there, here });
    }
    let digest = |text: &str| Digest::parse(text).ok_or_else(|| unreadable("a digest is damaged"));
    let mut report = Report::new(setup.seed);
    report.digest = digest(&file.digest)?;
    report.cases = file.cases;
    for (name, area) in file.areas {
        report.areas.insert(interned(name), area_of(area).map_err(unreadable)?);
    }
    for finding in file.findings {
        report.findings.push(finding_of(finding).map_err(unreadable)?);
    }
    Ok(Begun { batches: file.batches, first: digest(&file.first)?, report })
}

/// Runs the first batch again, and compares: a campaign is not gone on with by an engine that answers differently.
///
/// # Errors
///
/// [`StateError::Changed`].
pub fn recognise(begun: &Begun, settings: &Settings, lab: &Lab) -> Result<(), StateError> {
    let first = mine(settings).first().copied().filter(|_| begun.batches > 0);
    match first.map(|batch| run_batch(settings, lab, batch).digest) {
        Some(digest) if digest != begun.first => Err(StateError::Changed),
        _ => Ok(()),
    }
}

/// Replaces the file as a whole: whoever reads it finds the old text or the new one.
///
/// # Errors
///
/// A folder or file that cannot be written.
pub fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".{}.part", std::process::id()));
    let part = PathBuf::from(part);
    let written = std::fs::File::create(&part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let moved = written.and_then(|()| std::fs::rename(&part, path));
    if moved.is_err() {
        // What cannot be moved is of no use to anyone; the first error is the one to tell.
        let _ = std::fs::remove_file(&part);
    }
    moved
}

fn unreadable(why: impl fmt::Display) -> StateError {
    StateError::Unreadable(why.to_string())
}

/// A map by name, as reports have them.
type Named<T> = BTreeMap<&'static str, T>;

fn area_of(value: Value) -> serde_json::Result<AreaReport> {
    /// An area's counts, with names that live as long as the text.
    #[derive(Deserialize)]
    struct Saved {
        cases: u64,
        invariants: BTreeMap<String, super::Tally>,
        outcomes: BTreeMap<String, u64>,
        features: BTreeMap<String, BTreeMap<String, u64>>,
        reached: BTreeMap<String, u64>,
        coverage: BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>,
        cost: super::Cost,
    }
    let saved: Saved = serde_json::from_value(value)?;
    Ok(AreaReport {
        cases: saved.cases,
        invariants: named(saved.invariants, |tally| tally),
        outcomes: counts(saved.outcomes),
        features: named(saved.features, counts),
        reached: counts(saved.reached),
        coverage: named(saved.coverage, |ids| named(ids, counts)),
        cost: saved.cost,
    })
}

fn finding_of(value: Value) -> serde_json::Result<Finding> {
    /// A finding, with names that live as long as the text.
    #[derive(Deserialize)]
    struct Saved {
        area: String,
        invariant: String,
        promise: String,
        says: String,
        origin: Origin,
        input: String,
        choices: Vec<u32>,
        shrunk: bool,
        regression: String,
    }
    let saved: Saved = serde_json::from_value(value)?;
    Ok(Finding {
        area: interned(saved.area),
        invariant: interned(saved.invariant),
        promise: interned(saved.promise),
        says: saved.says,
        origin: saved.origin,
        input: saved.input,
        choices: saved.choices,
        shrunk: saved.shrunk,
        regression: saved.regression,
    })
}

fn named<T, U>(map: BTreeMap<String, T>, into: impl Fn(T) -> U) -> Named<U> {
    map.into_iter().map(|(name, value)| (interned(name), into(value))).collect()
}

fn counts(map: BTreeMap<String, u64>) -> Named<u64> {
    named(map, |count| count)
}

/// The text, once for all time. Files hold the names of our tables, which are few.
fn interned(text: String) -> &'static str {
    static NAMES: Mutex<BTreeMap<String, &'static str>> = Mutex::new(BTreeMap::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(&text) {
        return name;
    }
    let name: &'static str = Box::leak(text.clone().into_boxed_str());
    names.insert(text, name);
    name
}
