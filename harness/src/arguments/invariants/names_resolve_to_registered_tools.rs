//! A name leads to the registered tool that was meant, or to a refusal.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "names_resolve_to_registered_tools",
    says: "A registered name stays as it is, a damaged one leads to the tool that was meant, and an unknown one is refused.",
    kills: &["alias-to-the-wrong-tool"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let call = &run.case.call;
    let exact = call.name == call.subject.name;
    match run.resolve() {
        Some(found) if !run.subject().names().contains(&found.tool) => {
            Verdict::Broken("the name leads to no registered tool".into())
        }
        Some(found) if exact => {
            Verdict::require(found.rules.is_empty() && found.tool == call.name, || {
                format!("the registered `{}` was read as `{}`", call.name, found.tool)
            })
        }
        Some(_) if call.applied.contains(&"unknown-tool") => {
            Verdict::Broken(format!("the unknown `{}` was resolved", call.name))
        }
        Some(found) => Verdict::require(found.tool == call.subject.name, || {
            format!("`{}` was read as `{}`", call.name, found.tool)
        }),
        None if call.applied.contains(&"unknown-tool") => Verdict::Holds,
        None => Verdict::Broken(format!("`{}` was refused", call.name)),
    }
}
