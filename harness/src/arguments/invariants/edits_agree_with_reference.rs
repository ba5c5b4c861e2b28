//! Every plain edit is one that a slow search tries as well, and none is made where a union offers two.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::generate::shape::properties;
use crate::oracle::equal::same;
use crate::oracle::reference::{choices, single_edits};
use engine::{Change, Operation, replay};
use serde_json::{Value, json};

pub(super) const INVARIANT: Invariant = Invariant {
    name: "edits_agree_with_reference",
    says: "Every plain edit is among those that a slow search tries, and where a text in a union fits one branch if read and another if wrapped, the call is refused.",
    kills: &["first-item-of-many", "first-way-wins", "null-becomes-text", "round-numbers"],
    check,
};

/// The rules that make one plain edit at one place.
const PLAIN: &[&str] = &[
    "schema.drop-null",
    "schema.drop-empty",
    "schema.read-json-text",
    "schema.read-number",
    "schema.read-boolean",
    "schema.match-case",
    "schema.unwrap-item",
    "schema.wrap-item",
];

fn check(run: &Run<'_>) -> Verdict {
    let Some(start) = run.start() else { return Verdict::Vacuous };
    if let Some(name) = ambiguous_union(run, start) {
        return Verdict::require(run.answer.refusal().is_some(), || {
            format!("`{name}` could be read and could be wrapped, and was {}", run.answer.name())
        });
    }
    let choices = choices(&run.case.call.subject.schema);
    let (mut value, mut seen) = (start.clone(), false);
    for change in run.answer.changes() {
        let Ok(next) = replay(value.clone(), std::slice::from_ref(change)) else { break };
        if PLAIN.contains(&change.rule) && change.operations.len() == 1 && is_strict(change, &value)
        {
            if !single_edits(&value, &choices).iter().any(|edit| same(edit, &next)) {
                return Verdict::Broken(format!("no single edit of {value} gives {next}"));
            }
            seen = true;
        }
        value = next;
    }
    if seen { Verdict::Holds } else { Verdict::Vacuous }
}

/// False where a text is read that the search, which knows strict JSON only, cannot read.
fn is_strict(change: &Change, before: &Value) -> bool {
    let read = change.rule == "schema.read-json-text";
    let text = |operation: &Operation| operation.path().resolve(before).and_then(Value::as_str);
    !read
        || change
            .operations
            .iter()
            .filter_map(text)
            .all(|text| serde_json::from_str::<Value>(text).is_ok())
}

/// A member of a union's object that could be read and could be wrapped, where each fits some branch.
fn ambiguous_union(run: &Run<'_>, start: &Value) -> Option<String> {
    for (name, field) in properties(&run.case.call.subject.schema).into_iter().flatten() {
        let Some(Value::Object(map)) = start.get(name).filter(|_| has_object_branches(field))
        else {
            continue;
        };
        for (inner, text) in map.iter().filter_map(|(key, text)| Some((key, text.as_str()?))) {
            let Ok(read) = serde_json::from_str::<Value>(text) else { continue };
            let fits = |new: Value| {
                let mut edited = start.clone();
                edited[name.as_str()][inner.as_str()] = new;
                run.bench.second.accepts(&edited)
            };
            let plain = text.trim() == text;
            if plain && !run.bench.second.accepts(start) && fits(read) && fits(json!([text])) {
                return Some(inner.clone());
            }
        }
    }
    None
}

/// True for a union of at least two kinds of objects.
fn has_object_branches(field: &Value) -> bool {
    let branches = field.get("anyOf").or(field.get("oneOf")).and_then(Value::as_array);
    let objects = branches.into_iter().flatten().filter(|branch| branch["type"] == "object");
    objects.count() >= 2
}
