//! Cases for an engine that does not know everything ours does: what it cannot know is left out of them.

use engine::{Limits, Policy};
use serde_json::Value;

use super::case::{Case, Intent};
use crate::conform::{Feature, Hello, Numbers, Operation, wire};
use crate::malform::{self, Form, Stage};

/// Damage that only a tool's configuration tells how to undo, or why to refuse.
const CONFIGURED: &[&str] = &[
    "alias",
    "alias-conflict",
    "anchor-pair",
    "auto-link",
    "flat-edit",
    "fold-conflict",
    "glm-key-residue",
    "glm-value-token",
    "nested-alias",
];

/// The case as this engine can be asked it. Where something is left out that says what is right,
/// nothing is known of the right answer any more.
pub(super) fn fit(hello: &Hello, mut case: Case) -> Case {
    case.hook &= hello.has(Feature::Hook);
    if !hello.has(Feature::Hosts) {
        case.host = None;
    }
    if !hello.has(Feature::Policies) {
        case.policy = Policy::Adaptive;
    }
    if !hello.has(Feature::Limits) {
        case.limits = Limits::DEFAULT;
    }
    if !hello.can(Operation::ResolveName) {
        case.call.name.clone_from(&case.call.subject.name);
        forget(&mut case, |id| id == "unknown-tool");
    }
    if !hello.has(Feature::Config) {
        forget(&mut case, |id| CONFIGURED.contains(&id));
        if case.call.applied.is_empty() && is_configured(&case) && is_damaged(&case) {
            // Written down rather than damaged by name: it may take the configuration to undo it.
            case.intent = Intent::Unknown;
        }
    }
    if !hello.has(Feature::Schema) {
        let in_text = |stage| matches!(stage, Stage::Token | Stage::Text | Stage::Name);
        forget(&mut case, |id| malform::named(id).is_none_or(|row| !in_text(row.stage)));
    }
    if hello.numbers == Numbers::Doubles && wire::as_doubles(case.call.original.clone()).is_none() {
        // Whether such a number is kept is for the promise about numbers to say.
        case.intent = Intent::Unknown;
    }
    if hello.numbers == Numbers::Doubles
        && let Form::Value(value) = &case.call.form
        && let Some(value) = wire::as_doubles(value.clone())
    {
        case.call.form = Form::Value(value);
    }
    case
}

fn is_configured(case: &Case) -> bool {
    let entries = |config: &Value| config.get("preprocessors").and_then(Value::as_array).cloned();
    let own = case.config.is_none();
    own || case.config.as_ref().and_then(entries).is_some_and(|entries| !entries.is_empty())
}

fn is_damaged(case: &Case) -> bool {
    let sent: Option<Value> = match &case.call.form {
        Form::Value(value) => Some(value.clone()),
        Form::Text(text) => serde_json::from_str(text).ok(),
    };
    sent.is_none_or(|sent| sent != case.call.original)
}

/// Nothing is known of the right answer to a case with damage of this kind.
fn forget(case: &mut Case, kind: impl Fn(&str) -> bool) {
    if case.call.applied.iter().any(|id| kind(id)) {
        case.intent = Intent::Unknown;
    }
}
