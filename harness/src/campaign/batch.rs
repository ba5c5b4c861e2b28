//! One batch of cases: drawn, run, judged and counted.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::finding::{Finding, Origin};
use super::{Report, Settings, bias_of};
use crate::case::Case;
use crate::invariants::{INVARIANTS, Invariant, Verdict};
use crate::run::{Answer, Run, Workshop};
use crate::source::{Recording, Seeded};

/// Cases in a batch. Part of what a seed means: a change gives every campaign another digest.
pub const BATCH: u64 = 250;

/// Runs the batch of this number.
pub fn run_batch(settings: &Settings, workshop: &Workshop, batch: u64) -> Report {
    let mut report = Report::new(settings.seed);
    let end = settings.cases.min((batch + 1) * BATCH);
    for number in batch * BATCH..end {
        run_case(settings, workshop, number, &mut report);
    }
    report
}

fn run_case(settings: &Settings, workshop: &Workshop, number: u64, report: &mut Report) {
    let mut source = Recording::new(Seeded::new(settings.seed, number));
    let case = Case::draw(&mut source, &bias_of(settings.seed, number));
    let wanted = |row: &&Invariant| settings.only.is_empty() || settings.only.contains(&row.name);
    let rows: Vec<&Invariant> = INVARIANTS.iter().filter(wanted).collect();
    let judged = judge(workshop, &case, &rows);
    report.count(&case, &judged);
    for (row, (_, verdict)) in rows.iter().zip(&judged.verdicts) {
        if let Verdict::Broken(says) = verdict {
            let origin = Origin { seed: settings.seed, number };
            let choices = source.choices();
            report.find(|| Finding::new(row, says, origin, &case, choices), row.name);
        }
    }
}

/// What came of one case: the answer, unless a panic kept it back, and a verdict for each promise.
#[derive(Debug)]
pub struct Judged {
    /// The engine's answer.
    pub answer: Option<Answer>,
    /// The rules that led from the sent name to the registered one.
    pub name_rules: Vec<&'static str>,
    /// Whether the name was refused.
    pub name_refused: bool,
    /// Each promise's name with its verdict, in the order of the rows.
    pub verdicts: Vec<(&'static str, Verdict)>,
}

/// Holds `rows` against a case. A panic breaks `nothing_panics` and leaves the rest vacuous.
pub fn judge(workshop: &Workshop, case: &Case, rows: &[&Invariant]) -> Judged {
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let bench = match workshop.bench_for(case) {
            Ok(bench) => bench,
            Err(error) => return all_vacuous(rows, &format!("the case cannot be set up: {error}")),
        };
        let run = Run::new(case, &bench);
        let verdicts = rows.iter().map(|row| (row.name, (row.check)(&run))).collect();
        let resolved = bench.registry().resolve_name(&case.call.name);
        let name_refused = resolved.is_err();
        let name_rules = resolved.map(|found| found.rules.iter().map(|rule| rule.id).collect());
        Judged {
            answer: Some(run.answer),
            name_rules: name_rules.unwrap_or_default(),
            name_refused,
            verdicts,
        }
    }));
    judged.unwrap_or_else(|_| all_vacuous(rows, "the engine panicked"))
}

/// Nothing to judge; what went wrong breaks the promise that nothing does.
fn all_vacuous(rows: &[&Invariant], says: &str) -> Judged {
    let verdict = |row: &&Invariant| match row.name {
        "nothing_panics" => (row.name, Verdict::Broken(says.to_owned())),
        name => (name, Verdict::Vacuous),
    };
    Judged {
        answer: None,
        name_rules: Vec::new(),
        name_refused: false,
        verdicts: rows.iter().map(verdict).collect(),
    }
}
