//! A number inside an id, a header or a payload is no status.

use super::{Invariant, Verdict};
use crate::advice::run::Run;
use engine::advisor::ErrorFacts;

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
        let [one, other] = [&said.text, &said.twin].map(|text| {
            let found = run.sense(text, &facts);
            let status = found.status.map(|status| status.to_string()).unwrap_or_default();
            [found.class.unwrap_or(found.consequence.name()), &found.rule, &status].join(" ")
        });
        if one != other {
            let (one, other) = (one.trim(), other.trim());
            return Verdict::Broken(format!("{one}, with other digits {other}: {}", said.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
