//! A message never brings the engine down.

use super::{Invariant, Verdict};
use crate::leaks::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "no_leak_panics",
    says: "Nothing panics, whatever the message holds.",
    kills: &["panic-at-an-accent"],
    check,
};

fn check(_: &Run<'_>) -> Verdict {
    Verdict::Holds
}
