//! Strict JSON means what a second reader says it means.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::malform::Form;
use crate::oracle::reference::{Strict, read_strict};
use engine::Reason;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "strict_text_is_read_strictly",
    says: "A strict text is read as a second reader reads it, and one that gives a key two values is refused.",
    kills: &["last-duplicate-wins", "read-trims-texts"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Form::Text(text) = &run.case.call.form else { return Verdict::Vacuous };
    match read_strict(text) {
        Strict::Value(value) => match run.read(text) {
            None => Verdict::Vacuous,
            Some(Ok(read)) if !read.strict => {
                Verdict::Broken("strict JSON was read with liberties".into())
            }
            Some(Ok(read)) => {
                // As text, so that the order of keys counts.
                let (got, wanted) =
                    (read.value.to_string(), run.subject().spelled(value).to_string());
                Verdict::require(got == wanted, || format!("{wanted} was read as {got}"))
            }
            Some(Err(refusal)) => {
                Verdict::require(matches!(refusal.reason, Reason::TooDeep(_)), || {
                    format!("strict JSON was refused: {}", refusal.reason.id())
                })
            }
        },
        Strict::Conflict => Verdict::require(run.answer.refusal().is_some(), || {
            format!("one key has two values, and the call is {}", run.answer.name())
        }),
        Strict::Other => {
            let two = two_different_objects(text);
            if !two {
                return Verdict::Vacuous;
            }
            Verdict::require(run.answer.refusal().is_some(), || {
                format!("two objects were sent, and the call is {}", run.answer.name())
            })
        }
    }
}

/// True if the text is two complete, different objects and nothing else.
fn two_different_objects(text: &str) -> bool {
    let values: Result<Vec<Value>, _> =
        serde_json::Deserializer::from_str(text).into_iter().take(3).collect();
    match values.as_deref() {
        Ok([first, second]) => first.is_object() && second.is_object() && first != second,
        _ => false,
    }
}
