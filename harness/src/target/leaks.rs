//! Messages with calls printed into them, drawn as the campaign draws them.

use super::shop::{Shop, drawn_seeds};
use super::{Target, hold};
use crate::area::{Trial, Wanted};
use crate::leaks::Leaks;

pub(super) const TARGET: Target = Target {
    name: "leaks",
    says: "Choices: a message, the blocks put into it and its circumstances, held to every promise about leaks.",
    area: "leaks",
    run,
    seeds: || drawn_seeds::<Leaks>(400),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("leaks", "leaks", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(SHOP.drawn(data, wanted))
}

static SHOP: Shop<Leaks> = Shop::new();
