//! Values that arrive as the arguments of a call, for tools compiled beforehand: structured repair at speed.

use super::bytes::{Bytes, Written};
use super::reader::CHEAP;
use super::{Target, hold, pool};
use crate::area::{Trial, Wanted};
use crate::arguments::case::Case;
use crate::generate::Bias;
use crate::source::{Seeded, Source};

pub(super) const TARGET: Target = Target {
    name: "value",
    says: "Choices, at speed: a call of a tool from a pool, damaged, held to the promises that cost little to check.",
    area: "arguments",
    run,
    seeds: || (0..400).map(seed).collect(),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("value", "arguments", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    let only = if wanted.only.is_empty() { CHEAP } else { wanted.only };
    let case = draw(&mut Bytes::new(data));
    Some(pool::SHOP.judge(case, Wanted { only, ..wanted }))
}

fn draw(source: &mut dyn Source) -> Case {
    let bias = if source.below(2) == 0 { Bias::near_miss() } else { Bias::hostile() };
    Case::pooled(source, &bias, pool::tools())
}

fn seed(number: u64) -> Vec<u8> {
    let mut written = Written::new(Seeded::new(11, number));
    draw(&mut written);
    written.into_bytes()
}
