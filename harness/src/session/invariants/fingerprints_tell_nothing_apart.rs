//! The same session with other planted texts.

use engine::telemetry::Record;

use super::{Invariant, Verdict};
use crate::session::run::{Run, records};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "fingerprints_tell_nothing_apart",
    says: "Records, indicators, fingerprints and statistics are the same bytes for other values, keys, unknown names and model ids of the same kind.",
    kills: &["fingerprints-cover-names", "models-as-they-are", "places-as-sent"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(journal) = &run.journal else { return Verdict::Vacuous };
    match records(run.workshop, &run.case.with_other_canaries()) {
        Err(error) => Verdict::Broken(error),
        Ok(others) => {
            let others: Vec<String> = others.iter().map(Record::to_line).collect();
            let differs = journal.lines.iter().zip(&others).find(|(one, other)| one != other);
            differs.map_or(Verdict::Holds, |(one, other)| Verdict::Broken(format!("{one}{other}")))
        }
    }
}
