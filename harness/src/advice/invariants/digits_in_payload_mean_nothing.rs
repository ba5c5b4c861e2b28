//! A number inside an id, a header or a payload is no status.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use engine::advisor::{Classified, ErrorFacts};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "digits_in_payload_mean_nothing",
    says: "With other digits in its payload, an error has the same class, rule and status.",
    kills: &["digits-are-a-status"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for said in run.case.said.iter().filter(|said| said.twin != said.text) {
        applies = true;
        let facts = ErrorFacts { provider: said.provider.as_deref(), ..ErrorFacts::default() };
        let classifier = &run.tables().classifier;
        let [one, other] = [&said.text, &said.twin].map(|text| classifier.classify(text, &facts));
        let key = |found: &Classified| (found.class.id, found.rule, found.details.status);
        if key(&one) != key(&other) {
            return Verdict::Broken(format!("{:?}, {:?}: {}", key(&one), key(&other), said.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
