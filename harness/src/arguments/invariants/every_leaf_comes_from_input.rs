//! No value is invented, shortened or completed.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::json;
use crate::malform::Form;
use crate::oracle::leaves::Supply;
use crate::oracle::reference::choices;
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "every_leaf_comes_from_input",
    says: "Every leaf of a repair stands in the input, whole, by a reading of its own that the harness does.",
    kills: &["complete-cut-strings", "null-becomes-text", "trim-everything"],
    check,
};

/// Bytes of a call that is still read leaf by leaf.
const BYTES_MAX: usize = 1 << 15;

fn check(run: &Run<'_>) -> Verdict {
    let Some(args) = run.answer.args() else { return Verdict::Vacuous };
    let form = &run.case.call.form;
    if matches!(form, Form::Text(text) if text.len() > BYTES_MAX) {
        return Verdict::Vacuous;
    }
    let supply = run.supply();
    for (place, leaf) in json::leaves(args) {
        if supply.grants(leaf) || is_respelled_choice(run, &place, leaf, supply) {
            continue;
        }
        let at = json::pointer(&place);
        return Verdict::Broken(format!("`{at}` holds {leaf}, which nobody sent"));
    }
    Verdict::Holds
}

/// True for a declared choice that was sent in another case.
fn is_respelled_choice(run: &Run<'_>, place: &[String], leaf: &Value, supply: &Supply) -> bool {
    let Some(text) = leaf.as_str() else { return false };
    let at = json::pointer(place);
    let respelled = run
        .answer
        .changes()
        .iter()
        .any(|change| change.rule == "schema.match-case" && change.pointer.as_str() == at);
    let moved = run.answer.changes().iter().any(|change| change.rule == "schema.match-case");
    (respelled || moved || !run.subject().names_rules())
        && choices(&run.case.call.subject.schema).iter().any(|choice| choice == text)
        && supply.grants_in_other_case(text)
}
