//! Sessions with failures and compactions, drawn as the campaign draws them.

use super::shop::{Shop, drawn_seeds};
use super::{Target, hold};
use crate::advice::Advice;
use crate::area::{Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "advisor",
    says: "Choices: a session's events and requests, held to every promise about notes.",
    area: "advisor",
    run,
    seeds: || drawn_seeds::<Advice>(300),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("advisor", "advisor", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(SHOP.drawn(data, wanted))
}

static SHOP: Shop<Advice> = Shop::new();
