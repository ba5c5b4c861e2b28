//! A name that differs from exactly one registered name in case is that tool.

use std::collections::BTreeSet;

use super::{NameError, NameExample, NameRule, Names, Step};

pub(super) const RULE: NameRule = NameRule {
    id: "name.fold-case",
    fires: "exactly one registered name differs in case only",
    note: "Called `{tool}`: tool names are case-sensitive.",
    examples: &[NameExample::plain("Read", "read"), NameExample::plain("functions.LS", "ls")],
    apply,
};

fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    let folded = name.to_lowercase();
    // A set, because a host may list the same tool twice.
    let same: BTreeSet<&String> =
        names.known.iter().filter(|known| known.to_lowercase() == folded).collect();
    let mut same = same.into_iter();
    match (same.next(), same.len()) {
        (None, _) => Ok(None),
        (Some(only), 0) => Ok(Some(Step::to(only))),
        (Some(first), _) => {
            let candidates = std::iter::once(first).chain(same).cloned().collect();
            Err(NameError::Ambiguous { candidates })
        }
    }
}
