//! A refusal leaves the input alone, is bounded, and what it says is true.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use engine::{ISSUES_MAX, PREVIEW_CHARS_MAX, Policy, REASONS, Reason};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "refused_keeps_input_and_claims_nothing",
    says: "A refusal leaves the input as it was, claims no change, and gives a reason that the input bears out.",
    kills: &["wrong-reason"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(refusal) = run.answer.refusal() else { return Verdict::Vacuous };
    if !run.answer.changes().is_empty() {
        return Verdict::Broken("a refusal claims changes".into());
    }
    if refusal.issues.len() > ISSUES_MAX || refusal.preview.chars().count() > PREVIEW_CHARS_MAX + 1
    {
        return Verdict::Broken("a refusal is longer than it may be".into());
    }
    if !REASONS.iter().any(|(id, _)| *id == refusal.reason.id()) {
        return Verdict::Broken(format!("`{}` is not in the table", refusal.reason.id()));
    }
    let raw = run.case.call.as_text();
    Verdict::require(bears_out(&refusal.reason, &raw, run), || {
        format!("the input does not bear out `{}`", refusal.reason.id())
    })
}

/// Whether the input can be what the reason says, by a naive look at it.
fn bears_out(reason: &Reason, raw: &str, run: &Run<'_>) -> bool {
    match reason {
        Reason::LoneSurrogate => raw.to_ascii_lowercase().contains("ud"),
        Reason::DuplicateKey(key) => {
            let plain = key.chars().all(|c| c.is_ascii_alphanumeric());
            !plain || key.is_empty() || raw.matches(key.as_str()).count() >= 2
        }
        Reason::TooDeep(most) => raw.matches(['{', '[']).count() > *most as usize,
        Reason::InexactNumber => {
            let digits = raw.bytes().filter(u8::is_ascii_digit).count();
            digits >= 16 || raw.contains(['e', 'E'])
        }
        Reason::Withheld => run.case.policy == Policy::Conservative,
        Reason::CutOff(None) => !run.case.stop_reason.is_normal(),
        Reason::TwoValues => raw.len() >= 3,
        Reason::OverLimit(name) => run.case.limits.rows().iter().any(|(known, _)| known == name),
        _ => true,
    }
}
