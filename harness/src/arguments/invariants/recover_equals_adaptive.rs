//! For arguments, recover is adaptive.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use engine::Policy;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "recover_equals_adaptive",
    says: "The policies adaptive and recover give the same answer about arguments.",
    kills: &["recover-is-conservative"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let same = run.under(Policy::Adaptive) == run.under(Policy::Recover);
    Verdict::require(same, || {
        let names = [Policy::Adaptive, Policy::Recover].map(|policy| run.under(policy).name());
        format!("adaptive is {}, recover is {}", names[0], names[1])
    })
}
