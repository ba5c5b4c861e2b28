//! What a gateway puts around an error does not change what it means.

use super::{Invariant, Verdict};
use crate::advice::model::consequence;
use crate::advice::run::Run;
use engine::advisor::{Consequence, ErrorFacts};

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
    for (text, provider) in run.case.told() {
        let said = run.case.about(text);
        let Some(meaning) = said.and_then(|said| said.meaning.as_ref()) else { continue };
        applies = true;
        let found = run.sense(text, &ErrorFacts { provider, ..ErrorFacts::default() });
        let due = consequence(&meaning.class);
        let same = !meaning.exact || found.class == Some(meaning.class.as_str());
        if Some(found.consequence) != due || !same {
            let wanted = due.map_or("unknown", Consequence::name);
            let given = found.class.unwrap_or(found.consequence.name());
            let (class, rule) = (&meaning.class, found.rule);
            return Verdict::Broken(format!("{class} ({wanted}), not {given} ({rule}): {text}"));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
