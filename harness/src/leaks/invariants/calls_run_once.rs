//! No call runs twice.

use engine::grammar::Promoted;

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::run::Run;
use crate::leaks::seen::is_unbound;
use crate::oracle::equal;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "calls_run_once",
    says: "Two blocks never give the same call, and no byte belongs to two blocks.",
    kills: &["one-call-found-twice", "repeat-calls"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let treatment = &run.treatment;
    for (at, leak) in treatment.leaks.iter().enumerate() {
        let mut others =
            treatment.leaks.iter().skip(at + 1).filter(|other| other.part == leak.part);
        if others
            .any(|other| other.range.start < leak.range.end && leak.range.start < other.range.end)
        {
            return Verdict::Broken(format!("{:?} is owned twice", leak.range));
        }
    }
    if !run.tells() {
        return counted(run);
    }
    let place = |call: &Promoted| (call.part, call.range.start);
    for (at, call) in treatment.calls.iter().enumerate() {
        let mut others =
            treatment.calls.iter().skip(at + 1).filter(|other| place(other) != place(call));
        if others.any(|other| other.tool == call.tool && equal::same(&other.args, &call.args)) {
            return Verdict::Broken(format!("{} runs twice with {}", call.tool, call.args));
        }
    }
    if treatment.leaks.is_empty() { Verdict::Vacuous } else { Verdict::Holds }
}

/// No call runs more often than some block prints it. Spellings that leave the bounds of a block away make
/// one of those that stand side by side.
fn counted(run: &Run<'_>) -> Verdict {
    let calls = &run.treatment.calls;
    for call in calls {
        let same =
            |other: &&Promoted| other.tool == call.tool && equal::same(&other.args, &call.args);
        let count = calls.iter().filter(same).count();
        let prints = |block: &Block| block.calls.iter().filter(|it| run.is_meant(it, call)).count();
        let joined = |block: &&Block| block.spelling != "canonical" && is_unbound(block);
        let (loose, bound): (Vec<&Block>, Vec<&Block>) = run.case.blocks.iter().partition(joined);
        if loose.iter().any(|block| !block.is_sound() && prints(block) > 0) {
            continue;
        }
        let loose: usize = loose.into_iter().map(prints).sum();
        let most = bound.into_iter().map(prints).max().unwrap_or(0).max(loose).max(1);
        if count > most {
            return Verdict::Broken(format!("{} runs {count} times with {}", call.tool, call.args));
        }
    }
    if calls.is_empty() { Verdict::Vacuous } else { Verdict::Holds }
}
