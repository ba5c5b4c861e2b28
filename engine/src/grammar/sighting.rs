//! What the readings of a text's markdown show: as it stands, and with the blocks blanked that were found.

use std::ops::Range;

use super::scanner::{Found, Leak};

/// A leak as the readings of the markdown see it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, for a gate of its own"
)]
pub(super) struct Sighting {
    pub(super) part: usize,
    pub(super) leak: Leak,
    /// Outside code as the text stands.
    pub(super) in_first: bool,
    /// Outside code by the last reading, once the blocks are blanked.
    pub(super) in_second: bool,
    /// The text around only mentions it.
    pub(super) mentioned: bool,
    /// It stands in thoughts.
    pub(super) thought: bool,
    /// It is openers before a block that stays, and stays with it.
    pub(super) led: bool,
}

impl Sighting {
    fn of(part: usize, leak: Leak, in_first: bool, in_second: bool) -> Self {
        Self { part, leak, in_first, in_second, mentioned: false, thought: false, led: false }
    }

    /// True if no family reads it.
    pub(super) fn is_unread(&self) -> bool {
        self.leak.found == Found::Unread
    }
}

/// The ranges of the blocks among these leaks.
pub(super) fn blocks(leaks: &[Leak]) -> impl Iterator<Item = &Range<usize>> {
    leaks.iter().filter(|leak| leak.block().is_some()).map(|leak| &leak.range)
}

/// True if this leak is one of `leaks`, which are sorted.
pub(super) fn holds(leaks: &[Leak], leak: &Leak) -> bool {
    let start = leak.range.start;
    let from = leaks.partition_point(|other| other.range.start < start);
    let here = leaks.iter().skip(from).take_while(|other| other.range.start == start);
    here.into_iter().any(|other| other == leak)
}

/// Where the first block stands that is in only one of two lists.
pub(super) fn first_change(one: &[Leak], next: &[Leak]) -> Option<usize> {
    let (mut one, mut next) = (blocks(one), blocks(next));
    loop {
        match (one.next(), next.next()) {
            (None, None) => return None,
            (left, right) if left == right => {}
            (left, right) => return left.into_iter().chain(right).map(|range| range.start).min(),
        }
    }
}

/// What stands in one text whose markdown is the same in every reading.
pub(super) fn unchanged(part: usize, leaks: Vec<Leak>) -> Vec<Sighting> {
    leaks.into_iter().map(|leak| Sighting::of(part, leak, true, true)).collect()
}

/// What stands in one text where the readings of its markdown differ: `first` is what the text as it
/// stands shows, `last` what it shows with its blocks blanked.
pub(super) fn compare(part: usize, first: &[Leak], last: &[Leak]) -> Vec<Sighting> {
    let owned = |leak: &&Leak| {
        let behind = last.partition_point(|other| other.range.end <= leak.range.start);
        last.get(behind).is_none_or(|other| leak.range.end <= other.range.start)
    };
    let both = last.iter().map(|leak| Sighting::of(part, leak.clone(), holds(first, leak), true));
    let only_first = first.iter().filter(owned).cloned();
    let mut found: Vec<Sighting> =
        both.chain(only_first.map(|leak| Sighting::of(part, leak, true, false))).collect();
    found.sort_by_key(|sighting| sighting.leak.range.start);
    found
}

/// The ranges that are no code by the last reading.
pub(super) fn outside_code(sightings: &[Sighting]) -> impl Iterator<Item = &Range<usize>> {
    sightings.iter().filter(|sighting| sighting.in_second).map(|sighting| &sighting.leak.range)
}
