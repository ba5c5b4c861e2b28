//! Which case numbers belong to which area.

use super::{AnyArea, Row};

/// The numbers of some areas, in order. A number alone says its area, whichever others are attacked.
#[derive(Clone, Debug)]
pub struct Plan {
    round: u64,
    slots: Vec<u64>,
}

impl Plan {
    /// The numbers of the areas for which `wanted` holds. Every round of numbers gives each area its share.
    pub fn new(rows: &[Row], wanted: impl Fn(&dyn AnyArea) -> bool) -> Self {
        let of_slots = rows.iter().flat_map(|row| (0..row.share).map(|_| row.area));
        let owners: Vec<&dyn AnyArea> = of_slots.collect();
        let slots = (0..).zip(&owners).filter(|(_, area)| wanted(**area)).map(|(slot, _)| slot);
        Self { round: owners.len() as u64, slots: slots.collect() }
    }

    /// The number of the case at this place in the plan; `None` if no area is wanted.
    pub fn number(&self, index: u64) -> Option<u64> {
        let count = self.slots.len() as u64;
        let slot = usize::try_from(index.checked_rem(count)?).ok()?;
        Some((index / count).wrapping_mul(self.round).wrapping_add(*self.slots.get(slot)?))
    }
}

/// The area that a case number belongs to.
///
/// # Panics
///
/// If there is no row.
pub fn area_of(rows: &[Row], number: u64) -> &'static dyn AnyArea {
    let round: u64 = rows.iter().map(|row| u64::from(row.share)).sum();
    let mut left = number % round;
    for row in rows {
        if left < u64::from(row.share) {
            return row.area;
        }
        left -= u64::from(row.share);
    }
    rows[0].area
}
