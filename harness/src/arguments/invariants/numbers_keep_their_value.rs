//! No number changes its value.

use super::{Invariant, Verdict};
use crate::arguments::run::Run;
use crate::json;
use crate::malform::Form;
use crate::oracle::reference::{Strict, is_exact, number_tokens, read_strict};
use serde_json::Value;

pub(super) const INVARIANT: Invariant = Invariant {
    name: "numbers_keep_their_value",
    says: "Every number of a repair was sent with exactly this value, and a number that cannot be kept is refused.",
    kills: &["round-numbers", "ignore-inexact"],
    check,
};

fn check(run: &Run<'_>) -> Verdict {
    let Some(args) = run.answer.args() else { return Verdict::Vacuous };
    if let Form::Text(text) = &run.case.call.form
        && read_strict(text) != Strict::Other
        && let Some(token) = number_tokens(text).into_iter().find(|token| !is_exact(token))
    {
        return Verdict::Broken(format!("{token} was repaired, and cannot be kept"));
    }
    let numbers: Vec<Value> = json::leaves(args)
        .into_iter()
        .filter(|(_, leaf)| leaf.is_number())
        .map(|(_, leaf)| leaf.clone())
        .collect();
    if numbers.is_empty() {
        return Verdict::Vacuous;
    }
    let supply = run.supply();
    match numbers.into_iter().find(|number| !supply.grants(number)) {
        None => Verdict::Holds,
        Some(number) => Verdict::Broken(format!("nobody sent the number {number}")),
    }
}
