//! What may be an example does not run.

use super::{Invariant, Verdict};
use crate::leaks::case::Block;
use crate::leaks::oracle::fences::fences;
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "disputed_blocks_never_run",
    says: "A call that a naive reading of the text as it stands finds inside a fence never runs.",
    kills: &["promote-from-code"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    if !run.tells() {
        return unfenced(run);
    }
    let mut verdict = Verdict::Vacuous;
    for (part, text) in run.case.texts.iter().enumerate() {
        let Some(code) = fences(text).filter(|code| !code.is_empty()) else { continue };
        for call in run.treatment.calls.iter().filter(|call| call.part == part) {
            if code.iter().any(|fence| fence.contains(&call.range.start)) {
                return Verdict::Broken(format!("{} at {:?} may be code", call.tool, call.range));
            }
        }
        verdict = Verdict::Holds;
    }
    verdict
}

/// Some block that prints the call stands outside fences.
fn unfenced(run: &Run<'_>) -> Verdict {
    let code: Vec<_> = run.case.texts.iter().map(|text| fences(text)).collect();
    let may_be_code = |block: &Block| {
        let fences = code[block.part].iter().flatten();
        fences.filter(|fence| fence.contains(&block.range.start)).count() > 0
    };
    for call in &run.treatment.calls {
        let printers = run.printers(call);
        if !printers.is_empty() && printers.iter().all(|block| may_be_code(block)) {
            return Verdict::Broken(format!("{} may be code", call.tool));
        }
    }
    let any = code.iter().flatten().any(|code| !code.is_empty());
    if any { Verdict::Holds } else { Verdict::Vacuous }
}
