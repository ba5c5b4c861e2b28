//! What an engine was found to keep and to break, promise by promise.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Hello, Remote, needs};
use crate::area::{self, Lab, Trial, Wanted};
use crate::campaign::{Finding, Report, Tally};
use crate::source::Replay;

/// One promise.
#[derive(Clone, Debug)]
pub struct Row {
    /// The area.
    pub area: &'static str,
    /// The promise's name.
    pub promise: &'static str,
    /// The promise.
    pub says: &'static str,
    /// How it fared; `Err` says why it was not held against the engine.
    pub tally: Result<Tally, String>,
    /// The first break, made small.
    pub found: Option<Broken>,
}

/// A broken promise, with what it takes to see it.
#[derive(Clone, Debug)]
pub struct Broken {
    /// How it was broken.
    pub says: String,
    /// What was sent, in one readable text.
    pub input: String,
    /// The same for a cell of a table.
    pub brief: String,
    /// Damage, circumstances and outcome, by label.
    pub shown: Vec<(&'static str, String)>,
    /// The last line that was sent for it.
    pub request: Option<String>,
    /// The seed of the campaign.
    pub seed: u64,
    /// The number of the case.
    pub case: u64,
}

/// Everything a run against an engine found.
#[derive(Clone, Debug)]
pub struct Scorecard {
    /// What the engine says of itself.
    pub hello: Hello,
    /// Every promise of the areas that were asked about.
    pub rows: Vec<Row>,
    /// Cases that were drawn.
    pub cases: u64,
    /// Cases that the engine could be asked and answered.
    pub answered: u64,
    /// How the answers were, by outcome.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Failures by kind; each cost a process.
    pub faults: BTreeMap<&'static str, u64>,
    /// False if the run ended early.
    pub complete: bool,
    /// The seed.
    pub seed: u64,
    /// The digest of the campaign.
    pub digest: String,
}

impl Scorecard {
    /// Reads the report of a campaign against `remote`; every finding is run again to be shown.
    pub fn of(report: &Report, lab: &Lab, remote: &Arc<Remote>) -> Self {
        let hello = remote.hello();
        let mut rows = Vec::new();
        let (mut answered, mut outcomes) = (0, BTreeMap::new());
        for name in lab.areas() {
            let Some(area) = area::named(name) else { continue };
            let (_, others) = needs::of_area(hello, area);
            let counts = report.areas.get(name);
            for promise in area.promises() {
                let exempt = others.iter().find(|row| row.0 == promise.name);
                let counted = counts.and_then(|counts| counts.invariants.get(promise.name));
                let finding = report.findings.iter().find(|row| row.invariant == promise.name);
                rows.push(Row {
                    area: name,
                    promise: promise.name,
                    says: promise.says,
                    tally: exempt
                        .map_or(Ok(counted.copied().unwrap_or_default()), |row| Err(row.1.clone())),
                    found: finding.map(|finding| broken(finding, lab, remote)),
                });
            }
            for (outcome, count) in counts.into_iter().flat_map(|counts| &counts.outcomes) {
                answered += count;
                *outcomes.entry(*outcome).or_default() += count;
            }
        }
        Self {
            hello: hello.clone(),
            rows,
            cases: report.cases,
            answered,
            outcomes,
            faults: remote.faults(),
            complete: report.complete,
            seed: report.seed,
            digest: report.digest.to_string(),
        }
    }

    /// The rows that were broken.
    pub fn broken(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.tally.as_ref().is_ok_and(|tally| tally.broken > 0))
    }

    /// The form of `--markdown`: promises that were held against the engine, broken ones first.
    pub fn to_markdown(&self) -> String {
        let asked: Vec<&Row> = self.rows.iter().filter(|row| row.tally.is_ok()).collect();
        let (broken, kept): (Vec<&Row>, Vec<&Row>) =
            asked.iter().partition(|row| row.found.is_some());
        let mut lines = vec![
            format!(
                "{} {}: {} of {} promises broken; {} of {} cases answered; seed {:#x}, digest {}.",
                self.hello.engine,
                self.hello.version,
                broken.len(),
                asked.len(),
                self.answered,
                self.cases,
                self.seed,
                self.digest
            ),
            String::new(),
            "| promise | held | vacuous | broken | smallest input | what came of it |".to_owned(),
            "|---|---:|---:|---:|---|---|".to_owned(),
        ];
        lines.extend(broken.into_iter().chain(kept).filter_map(Row::to_markdown));
        lines.join("\n")
    }

    /// The form of `--json`.
    pub fn to_json(&self) -> Value {
        json!({
            "engine": self.hello.to_json(),
            "seed": self.seed,
            "digest": self.digest,
            "cases": self.cases,
            "answered": self.answered,
            "outcomes": self.outcomes,
            "faults": self.faults,
            "complete": self.complete,
            "broken": self.broken().count(),
            "promises": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Row {
    /// The verdict in one word.
    pub fn verdict(&self) -> &'static str {
        match &self.tally {
            Err(_) => "not asked",
            Ok(tally) if tally.broken > 0 => "BROKEN",
            Ok(tally) if tally.held > 0 => "holds",
            Ok(_) => "vacuous",
        }
    }

    fn to_markdown(&self) -> Option<String> {
        let Tally { held, vacuous, broken } = *self.tally.as_ref().ok()?;
        let found = self.found.as_ref();
        let input = found.map_or_else(String::new, |found| code(&found.brief));
        let says = found.map_or_else(String::new, |found| code(&found.says));
        let name = self.promise;
        Some(format!("| `{name}` | {held} | {vacuous} | {broken} | {input} | {says} |"))
    }

    fn to_json(&self) -> Value {
        let mut row = json!({
            "area": self.area,
            "promise": self.promise,
            "says": self.says,
            "verdict": self.verdict().to_lowercase(),
        });
        match &self.tally {
            Err(why) => row["because"] = why.as_str().into(),
            Ok(tally) => {
                row["held"] = tally.held.into();
                row["vacuous"] = tally.vacuous.into();
                row["broken"] = tally.broken.into();
            }
        }
        if let Some(found) = &self.found {
            row["first"] = json!({
                "says": found.says,
                "input": found.input,
                "brief": found.brief,
                "request": found.request,
                "seed": found.seed,
                "case": found.case,
            });
        }
        row
    }
}

/// The most characters of a cell.
const CELL_MAX: usize = 120;

/// A text as inline code in a cell of a table, clipped; control characters are shown as pictures.
fn code(text: &str) -> String {
    let picture = |c: char| match u32::from(c) {
        low @ 0..=0x1f => char::from_u32(0x2400 + low).unwrap_or(c),
        _ => c,
    };
    let mut shown: String = text.chars().take(CELL_MAX).map(picture).collect();
    if text.chars().nth(CELL_MAX).is_some() {
        shown.push('…');
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let room = if longest > 0 { " " } else { "" };
    format!("{fence}{room}{}{room}{fence}", shown.replace('|', "\\|"))
}

/// Runs the smallest case of a finding once more, to tell what is sent and what comes back.
fn broken(finding: &Finding, lab: &Lab, remote: &Remote) -> Broken {
    let mut replay = Replay::new(finding.choices.clone());
    let only = [finding.invariant];
    let trial = lab.case(finding.origin, &mut replay, Wanted { only: &only, show: true });
    Broken {
        says: finding.says.clone(),
        input: finding.input.clone(),
        brief: trial.as_ref().map_or_else(|| finding.input.clone(), |trial| trial.case.brief()),
        shown: trial.map_or_else(Vec::new, |trial: Trial| trial.shown),
        request: remote.last_line(),
        seed: finding.origin.seed,
        case: finding.origin.number,
    }
}
