//! Texts that arrive as the arguments of a call, held to everything that is promised of any text.

use super::seeds::argument_texts;
use super::{Target, hold, pool};
use crate::area::{Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "text",
    says: "Text: six bytes of circumstances, then the arguments as a model wrote them, held to every promise about arguments.",
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
    hold("text", "arguments", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(pool::SHOP.judge(pool::text_case(data), wanted))
}
