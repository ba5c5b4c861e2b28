//! A name leads to the registered tool that was meant, or to a refusal.

use super::{Invariant, Verdict};
use crate::run::Run;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "names_resolve_to_registered_tools",
    says: "A registered name stays as it is, a damaged one leads to the tool that was meant, and an unknown one is refused.",
    kills: &["alias-to-the-wrong-tool"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let (call, registry) = (&run.case.call, run.bench.registry());
    let exact = call.name == call.subject.name;
    match registry.resolve_name(&call.name) {
        Ok(found) if registry.tool(&found.tool).is_none() => {
            Verdict::Broken("the name leads to no registered tool".into())
        }
        Ok(found) if exact => {
            Verdict::require(found.rules.is_empty() && found.tool == call.name, || {
                format!("the registered `{}` was read as `{}`", call.name, found.tool)
            })
        }
        Ok(_) if call.applied.contains(&"unknown-tool") => {
            Verdict::Broken(format!("the unknown `{}` was resolved", call.name))
        }
        Ok(found) => Verdict::require(found.tool == call.subject.name, || {
            format!("`{}` was read as `{}`", call.name, found.tool)
        }),
        Err(_) if call.applied.contains(&"unknown-tool") => Verdict::Holds,
        Err(_) => Verdict::Broken(format!("`{}` was refused", call.name)),
    }
}
