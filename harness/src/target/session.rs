//! What happens around calls, drawn as the campaign draws it.

use super::shop::{Shop, drawn_seeds};
use super::{Target, hold};
use crate::area::{Trial, Wanted};
use crate::session::Session;

pub(super) const TARGET: Target = Target {
    name: "session",
    says: "Choices: repairs on their way to their notes, a log, or a settings file, held to every promise about sessions.",
    area: "session",
    run,
    seeds: || drawn_seeds::<Session>(300),
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("session", "session", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(SHOP.drawn(data, wanted))
}

static SHOP: Shop<Session> = Shop::new();
