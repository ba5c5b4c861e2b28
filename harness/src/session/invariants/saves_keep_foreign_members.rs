//! What a save leaves alone.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "saves_keep_foreign_members",
    says: "Members that are none of ours keep their bytes and their order through a save.",
    kills: &["saves-anew", "saves-tidy-numbers"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (Some(edited), Some(file)) = (&run.edited, &run.case.file) else { return Verdict::Vacuous };
    let Some(saved) = edited.saved().filter(|_| file.foreign().next().is_some()) else {
        return Verdict::Vacuous;
    };
    let mut rest = saved;
    for member in file.foreign() {
        let Some((_, after)) = rest.split_once(member) else {
            return Verdict::Broken(format!("{saved:?} has lost {member}"));
        };
        rest = after;
    }
    Verdict::Holds
}
