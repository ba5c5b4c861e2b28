//! No tool runs with a value that nobody sent.

use serde_json::Value;

use super::super::run::{Execution, Run, executions};
use super::{Invariant, Verdict, played};
use crate::json;

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "calls_run_with_what_was_said",
    says: "Every leaf that a tool is handed in a session was sent, or set by the session's own handlers, or is what the host alone hands over.",
    kills: &["repairs-add-a-letter"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |played| {
        let alone: Vec<Execution> = executions(&played.alone).collect();
        let mut of_ours = executions(&played.mended).filter(|it| !alone.contains(it)).peekable();
        if of_ours.peek().is_none() {
            return Verdict::Vacuous;
        }
        let supply = run.supply();
        // What is printed, or sent as broken text, may stand without quotes.
        let printed: Vec<&str> = run.case.printed().collect();
        let stands = |leaf: &Value| {
            let text = leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned);
            printed.iter().any(|said| said.contains(&text))
        };
        for Execution { tool, args } in of_ours {
            let leaves = json::leaves(&args);
            if let Some((_, leaf)) =
                leaves.into_iter().find(|(_, leaf)| !supply.grants(leaf) && !stands(leaf))
            {
                return Verdict::Broken(format!("`{tool}` ran with {leaf}: {args}"));
            }
        }
        Verdict::Holds
    })
}
