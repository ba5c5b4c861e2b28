//! The whole of a session.

use super::{Invariant, Verdict};
use crate::session::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "no_session_panics",
    says: "Whatever a host reports, a log holds or a settings file says, nothing panics.",
    kills: &["panics-on-three-rules"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    // A panic never gets here; see `Area::PANICS`.
    let _ = run.case;
    Verdict::Holds
}
