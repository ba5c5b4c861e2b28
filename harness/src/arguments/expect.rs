//! What a stored case wants of its outcome, and how a run is shown.

use corpus::Regression;
use engine::host::HostProfile;
use engine::{Refusal, same_value};

use super::run::{Answer, Run};

/// How the outcome differs from what the file expects, if it does.
pub(super) fn miss(file: &Regression, answer: &Answer) -> Option<String> {
    let expected: Vec<String> =
        file.expect.iter().map(|row| format!("{row:?}").to_lowercase()).collect();
    let got = answer.name();
    if !expected.is_empty() && !expected.iter().any(|name| name == got) {
        return Some(format!("expected {}, got {got}", expected.join(" or ")));
    }
    let args = answer.args().filter(|_| !file.args.is_empty());
    if args.is_some_and(|args| !file.args.iter().any(|right| same_value(right, args))) {
        return Some("repaired into other arguments than the file expects".to_owned());
    }
    refusal_misses(file, answer.refusal()?)
}

fn refusal_misses(file: &Regression, refusal: &Refusal) -> Option<String> {
    let reason = file.reason.as_deref().filter(|reason| *reason != refusal.reason.id());
    if let Some(reason) = reason {
        return Some(format!("expected the reason {reason}, got {}", refusal.reason.id()));
    }
    let message = refusal.message();
    let missing = file.mentions.iter().find(|word| !message.contains(word.as_str()));
    missing.map(|word| format!("the refusal does not mention `{word}`"))
}

/// Circumstances and outcome, by label.
pub(super) fn show(run: &Run<'_>) -> Vec<(&'static str, String)> {
    let (case, call) = (run.case, &run.case.call);
    let or_none = |name: Option<&str>| name.unwrap_or("none").to_owned();
    let around = format!(
        "model {}, provider {}, policy {}, stop reason {}, host {}",
        or_none(call.model.as_deref()),
        or_none(call.provider.as_deref()),
        case.policy,
        case.stop_reason,
        or_none(case.host.map(HostProfile::name))
    );
    let mut lines = vec![
        ("tool", call.name.clone()),
        ("damage", call.applied.join(", ")),
        ("around", around),
        ("outcome", run.answer.name().to_owned()),
    ];
    lines.extend(run.answer.args().map(|args| ("args", args.to_string())));
    let change = |change: &engine::Change| {
        ("change", format!("{} at {}", change.rule, change.pointer.readable()))
    };
    lines.extend(run.answer.changes().iter().map(change));
    lines.extend(run.answer.refusal().map(|refusal| ("refusal", refusal.message())));
    lines
}
