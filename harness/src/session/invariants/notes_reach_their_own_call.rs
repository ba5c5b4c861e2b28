//! Notes by what the host knows, without the model.

use engine::lifecycle::Bounds;

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "notes_reach_their_own_call",
    says: "Where a host tells calls apart, every note is about the very call that it is given to.",
    kills: &["matches-by-arguments-alone", "shared-ids-are-noted"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.is_certain() {
        return Verdict::Vacuous;
    }
    let mut judged = false;
    let script = &run.case.script;
    // Calls of one id are told apart by their ends; one that was forgotten, or is reported behind its
    // end, is the next one's.
    let keeps = run.case.bounds == Bounds::DEFAULT
        && script.is_brisk()
        && script.results_are_in_time()
        && script.announced_start_next();
    for (call, note) in run.notes().filter(|(call, _)| keeps || !script.shares_id(*call)) {
        judged = true;
        let own = [format!("[a{call}]"), format!("[p{call}]")];
        let mut marks = note.text.lines().filter_map(|line| line.strip_prefix("- ["));
        if let Some(mark) = marks.find(|mark| !own.contains(&format!("[{mark}"))) {
            return Verdict::Broken(format!("call {call} got the note of [{mark}"));
        }
    }
    if judged { Verdict::Holds } else { Verdict::Vacuous }
}
