//! What a gateway puts around an error does not change what it means.

use super::{Invariant, Verdict};
use crate::advice::model::consequence;
use crate::advice::run::Run;
use engine::advisor::ErrorFacts;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "class_survives_its_wrapping",
    says: "In any wrapping, in any case, before secrets and noise, a known wording means the same for a retry.",
    kills: &["overflow-before-throttle"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if run.case.salt % 4 != 3 {
        return Verdict::Vacuous;
    }
    let mut applies = false;
    for failed in run.case.failures() {
        let said = run.case.about(&failed.error);
        let Some(meaning) = said.and_then(|said| said.meaning.as_ref()) else { continue };
        applies = true;
        let provider = failed.model.as_ref().map(|model| model.provider.as_str());
        let facts = ErrorFacts { provider, ..ErrorFacts::default() };
        let found = run.sense(&failed.error, &facts);
        let fits = Some(found.consequence) == consequence(&meaning.class);
        let same = !meaning.exact || found.class == Some(meaning.class.as_str());
        if !fits || !same {
            let (id, rule) = (found.class.unwrap_or(found.consequence.name()), found.rule);
            return Verdict::Broken(format!("{meaning:?}, not {id} ({rule}): {}", failed.error));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
