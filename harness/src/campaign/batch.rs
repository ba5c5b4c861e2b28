//! One batch of cases: drawn, run, judged and counted.

use super::finding::{Finding, Origin};
use super::{Report, Settings};
use crate::area::{Lab, Wanted};
use crate::source::Recording;

/// Cases in a batch. Part of what a seed means: a change gives every campaign another digest.
pub const BATCH: u64 = 250;

/// Runs the batch of this number.
pub fn run_batch(settings: &Settings, lab: &Lab, batch: u64) -> Report {
    let mut report = Report::new(settings.seed);
    let end = settings.cases.min((batch + 1) * BATCH);
    for number in (batch * BATCH..end).filter_map(|index| lab.number(index)) {
        run_case(settings, lab, Origin { seed: settings.seed, number }, &mut report);
    }
    report
}

fn run_case(settings: &Settings, lab: &Lab, origin: Origin, report: &mut Report) {
    let mut choices = Recording::new(origin.choices());
    let wanted = Wanted { only: &settings.only, show: false };
    let Some(area) = lab.owner(origin.number) else { return };
    let Some(trial) = lab.case(origin, &mut choices, wanted) else { return };
    report.count(area.name(), origin.number, &trial);
    for (name, says) in trial.broken() {
        report.find(|| Finding::new(name, says, origin, &*trial.case, choices.choices()), name);
    }
}
