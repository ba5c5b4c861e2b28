//! What failed is no longer spoken of once something has worked.

use serde_json::Value;

use super::super::run::{Run, advice, messages};
use super::{Invariant, Verdict, played};
use corpus::Event;

/// The promise.
pub(super) const INVARIANT: Invariant = Invariant {
    name: "advice_ends_with_success",
    says: "A request that follows a whole answer, with nothing compacted in between, carries no advice; one that carries some ends with it, and the session does not keep it.",
    kills: &["advice-outlives-success"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    played(run, |played| {
        let mut verdict = Verdict::Vacuous;
        // Whoever comes after the engine may add messages of its own.
        let alters =
            run.case.script.handlers.iter().any(|handler| handler.on.starts_with("context"));
        let (mut compacted, mut whole) = (false, false);
        for event in &played.mended.events {
            compacted |= event.name.contains("compact");
            if event.name == "message_end" && label(event).starts_with("assistant") {
                compacted = false;
                whole = ["assistant(stop", "assistant(toolUse"]
                    .iter()
                    .any(|it| label(event).starts_with(it));
            }
            if event.name != "request" {
                continue;
            }
            let (all, notes) = (messages(event).len(), advice(event));
            let is_last = notes.iter().rev().zip((0..all).rev()).all(|(at, last)| *at == last);
            let worked = whole && !compacted && shows_success(event);
            if notes.len() > 2 || !is_last && !alters || worked && !notes.is_empty() {
                let kind = if worked { "after a success" } else { "not at the end" };
                return Verdict::Broken(format!("advice {kind}: {}", label(event)));
            }
            if worked || !notes.is_empty() {
                verdict = Verdict::Holds;
            }
        }
        let kept = |message: &Value| message["customType"] == "advisor";
        if played.mended.transcript.iter().any(kept) {
            return Verdict::Broken("the session keeps advice".to_owned());
        }
        verdict
    })
}

fn label(event: &Event) -> &str {
    event.what.as_deref().unwrap_or_default()
}

/// True if the last answer in the context was whole; handlers may have made another of it.
fn shows_success(request: &Event) -> bool {
    let is_answer = |message: &&Value| message["role"] == "assistant";
    let last = messages(request).iter().rfind(is_answer);
    last.is_some_and(|answer| answer["stopReason"] == "stop" || answer["stopReason"] == "toolUse")
}
