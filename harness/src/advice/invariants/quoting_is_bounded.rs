//! A step costs work in proportion to one foreign text, however long the session.

use super::{Invariant, Verdict};
use crate::advice::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "quoting_is_bounded",
    says: "In no step are more bytes quoted than three times the longest foreign text.",
    kills: &["quote-every-prefix"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let longest = run.case.said.iter().map(|said| said.text.len()).max().unwrap_or(0) as u64;
    let most = run.answers.iter().map(|answer| answer.quoted).max().unwrap_or(0);
    if most == 0 {
        return Verdict::Vacuous;
    }
    Verdict::require(most <= 3 * longest, || format!("{most} bytes quoted, {longest} at most"))
}
