//! Notes, observations and fingerprints never carry a value.

use super::{Invariant, Verdict};
use crate::arguments::case::CANARY;
use crate::arguments::run::Answer;
use crate::arguments::run::Run;
use crate::malform::Form;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "notes_name_fields_and_no_values",
    says: "A planted canary value never reaches a note, a rule id, an observation or a fingerprint.",
    kills: &["note-quotes-a-value"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let sent = run.case.call.as_text();
    if !sent.contains(CANARY) {
        return Verdict::Vacuous;
    }
    match &run.answer {
        Answer::Repaired { changes, observations, .. } => {
            let speaks = changes.iter().any(|change| {
                change.note.contains(CANARY) || change.pointer.as_str().contains(CANARY)
            });
            let seen = format!("{observations:?}").contains(CANARY);
            Verdict::require(!speaks && !seen, || "a note carries a value".into())
        }
        Answer::Refused(refusal) => {
            let other = CANARY.replace("zq7", "zq8");
            let form = match &run.case.call.form {
                Form::Text(text) => Form::Text(text.replace(CANARY, &other)),
                Form::Value(value) => {
                    let text = value.to_string().replace(CANARY, &other);
                    Form::Value(serde_json::from_str(&text).unwrap_or_default())
                }
            };
            let again = run.ask(&form);
            let same =
                again.refusal().is_some_and(|again| again.fingerprint == refusal.fingerprint);
            Verdict::require(same, || "the fingerprint depends on a value".into())
        }
        Answer::Valid { .. } | Answer::Deferred { .. } => Verdict::Vacuous,
    }
}
