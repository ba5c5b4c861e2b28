//! Calls with all their circumstances, drawn as the campaign draws them.

use super::shop::{Shop, drawn_seeds};
use super::{Target, hold};
use crate::area::{Trial, Wanted};
use crate::arguments::Arguments;

pub(super) const TARGET: Target = Target {
    name: "arguments",
    says: "Choices: a tool, a call, its damage and its circumstances, held to every promise about arguments.",
    area: "arguments",
    run,
    seeds: || drawn_seeds::<Arguments>(400),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("arguments", "arguments", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(SHOP.drawn(data, wanted))
}

static SHOP: Shop<Arguments> = Shop::new();
