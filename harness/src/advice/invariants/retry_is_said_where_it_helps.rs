//! Only what may succeed is worth another try.

use super::{Invariant, Verdict};
use crate::advice::model::consequence;
use crate::advice::run::Run;
use engine::advisor::Consequence;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "retry_is_said_where_it_helps",
    says: "A note says to retry the same approach only if its class is one that passes by itself, and never promises it for others.",
    kills: &["retry-whatever", "quota-advised-as-throttle"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let mut applies = false;
    for (note, due) in run.pairs() {
        let Some((class, _)) = note.class else { continue };
        let transient = consequence(class) == Some(Consequence::Transient);
        let ours = note.text.split_once('\n').map_or(note.text.as_str(), |(ours, _)| ours);
        let says = ours.contains("retry the same approach");
        applies = true;
        let wanted = transient && !due.switched;
        if says != wanted || note.says_retry != transient {
            return Verdict::Broken(format!("{class}: {}", note.text));
        }
    }
    if applies { Verdict::Holds } else { Verdict::Vacuous }
}
