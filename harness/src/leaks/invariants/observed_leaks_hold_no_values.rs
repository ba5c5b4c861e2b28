//! What is reported holds nothing of the message.

use super::{Invariant, Verdict};
use crate::leaks::case::values::CANARY;
use crate::leaks::run::Run;
use crate::leaks::tools;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "observed_leaks_hold_no_values",
    says: "Reports of leaks hold no value and no name but of registered tools.",
    kills: &["reasons-with-values"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.treatment.leaks.is_empty() {
        return Verdict::Vacuous;
    }
    if format!("{:?}", run.treatment.leaks).contains(CANARY) {
        return Verdict::Broken("a report holds a value".to_owned());
    }
    let mut names = run.treatment.leaks.iter().flat_map(|leak| &leak.tools);
    match names.find(|name| tools::subject(name).is_none()) {
        None => Verdict::Holds,
        Some(name) => Verdict::Broken(format!("a report names `{name}`, which is no tool")),
    }
}
