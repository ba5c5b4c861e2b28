//! The same texts as in `text`, at speed: held to what costs next to nothing to check.

use super::seeds::argument_texts;
use super::{Target, hold, pool};
use crate::area::{Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "reader",
    says: "Text, as `text`, at speed: held to the promises that cost little to check.",
    area: "arguments",
    run,
    seeds: argument_texts,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("reader", "arguments", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    let only = if wanted.only.is_empty() { CHEAP } else { wanted.only };
    Some(pool::SHOP.judge(pool::text_case(data), Wanted { only, ..wanted }))
}

/// What is checked without asking the engine twice about every input.
pub(super) const CHEAP: &[&str] = &[
    "changes_replay_to_args",
    "nothing_panics",
    "refused_keeps_input_and_claims_nothing",
    "repaired_passes_second_validator",
    "repairing_a_repair_is_valid",
    "valid_comes_back_by_reference",
];
