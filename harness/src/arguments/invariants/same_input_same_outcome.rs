//! The outcome depends on the input alone.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::malform::Form;
use engine::Limits;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "same_input_same_outcome",
    says: "The same input has the same outcome: again, and with its keys in another order.",
    kills: &["unstable-result"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let form = &run.case.call.form;
    if run.ask(form) != run.answer {
        return Verdict::Broken("asked again, the engine answers differently".into());
    }
    let Form::Value(value) = form else { return Verdict::Holds };
    if run.case.limits != Limits::DEFAULT {
        return Verdict::Holds;
    }
    let turned = run.ask(&Form::Value(reversed(value)));
    let same = turned.name() == run.answer.name() && turned.args() == run.answer.args();
    Verdict::require(same, || format!("with its keys reversed the call is {}", turned.name()))
}

/// The value with the keys of every object in reverse order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(map) => {
            map.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect()
        }
        scalar => scalar.clone(),
    }
}
