//! Swarm testing: each batch switches rows of the generators' tables off at random, so that what is left
//! meets more often, and in combinations that a campaign of everything at once would seldom draw.

use crate::source::{Choose, Source};

/// What is off in one batch. Drawn from the seed and the batch's number, so that a case is made again by these.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Swarm {
    key: u64,
    off: u32,
}

impl Swarm {
    /// Everything is on.
    pub const EVERYTHING: Self = Self { key: 0, off: 0 };

    /// Draws what is off: nothing in one batch of four, else a quarter or half of all rows.
    pub fn draw(source: &mut dyn Source) -> Self {
        let off = *source.pick(&[0, 4, 4, 8]);
        let half = |source: &mut dyn Source| u64::from(source.below(u32::MAX));
        Self { off, key: (half(source) << 32) | half(source) }
    }

    /// Whether the row of this name is on.
    pub fn has(&self, id: &str) -> bool {
        if self.off == 0 {
            return true;
        }
        let mut hash = self.key ^ 0xcbf2_9ce4_8422_2325;
        for byte in id.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        // The upper bits: the lower ones of two names that end alike are alike.
        hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash >> 60 >= u64::from(self.off)
    }
}

/// A source under a swarm; it also remembers which rows went into the case.
#[derive(Debug)]
pub struct Swarmed<S> {
    inner: S,
    swarm: Swarm,
    without: Vec<&'static str>,
    carried: Vec<&'static str>,
}

impl<S: Source> Swarmed<S> {
    /// Puts `inner` under `swarm`.
    pub fn new(inner: S, swarm: Swarm) -> Self {
        Self { inner, swarm, without: Vec::new(), carried: Vec::new() }
    }

    /// Switches these rows off as well, be they the first of their tables.
    #[must_use]
    pub fn without(self, rows: &[&'static str]) -> Self {
        Self { without: rows.to_vec(), ..self }
    }

    /// The rows that went into the case, in the order they came.
    pub fn into_carried(self) -> Vec<&'static str> {
        self.carried
    }
}

impl<S: Source> Source for Swarmed<S> {
    fn below(&mut self, n: u32) -> u32 {
        self.inner.below(n)
    }

    fn allows(&self, id: &str) -> bool {
        self.swarm.has(id) && !self.lacks(id)
    }

    fn lacks(&self, id: &str) -> bool {
        self.without.contains(&id)
    }

    fn carry(&mut self, id: &'static str) {
        self.carried.push(id);
    }
}

/// Questions about the rows of a table, some of which may be off. The first row that means something never is:
/// it is the simplest, and cases shrink towards it.
pub trait ChooseRow: Source {
    /// One of the rows that are on; choice 0 means the first.
    ///
    /// # Panics
    ///
    /// When `rows` is empty.
    fn pick_row<'a, T>(&mut self, rows: &'a [T], id: impl Fn(&T) -> &str) -> &'a T {
        let first = rows.iter().position(|row| !self.lacks(id(row))).unwrap_or(0);
        let on = |(at, row): &(usize, &T)| *at == first || self.allows(id(row));
        let on: Vec<&T> = rows.iter().enumerate().filter(on).map(|(_, row)| row).collect();
        on[self.index(on.len())]
    }

    /// The index of a row that is on, each as likely as its weight says. A row without a name is always on.
    fn weigh_rows(&mut self, rows: &[(&'static str, u32)]) -> usize {
        let on = |at: usize, id: &str| at == 0 || id.is_empty() || self.allows(id);
        let weigh =
            |(at, row): (usize, &(&'static str, u32))| if on(at, row.0) { row.1 } else { 0 };
        let weights: Vec<u32> = rows.iter().enumerate().map(weigh).collect();
        self.weighted(&weights)
    }

    /// True in `num` of `den` cases, and never where `id` is off; if true, the case carries it.
    fn chance_row(&mut self, id: &'static str, num: u32, den: u32) -> bool {
        let met = self.allows(id) && self.chance(num, den);
        if met {
            self.carry(id);
        }
        met
    }
}

impl<S: Source + ?Sized> ChooseRow for S {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Replay, Seeded};

    #[test]
    fn about_as_many_rows_are_off_as_the_swarm_says() {
        let ids: Vec<String> = (0..400).map(|n| format!("row-{n}")).collect();
        for (off, low, high) in [(0, 0, 0), (4, 70, 130), (8, 160, 240)] {
            for key in [1, 7 << 40, u64::MAX] {
                let swarm = Swarm { key, off };
                let count = ids.iter().filter(|id| !swarm.has(id)).count();
                assert!((low..=high).contains(&count), "{count} of 400 with {off} sixteenths");
            }
        }
    }

    #[test]
    fn rows_that_are_off_are_not_drawn_and_the_first_never_is() {
        let swarm = Swarm { key: 5, off: 16 };
        let mut source = Swarmed::new(Seeded::new(1, 1), swarm);
        for _ in 0..50 {
            assert_eq!(*source.pick_row(&["a", "b", "c"], |row| row), "a");
            assert_eq!(source.weigh_rows(&[("a", 1), ("b", 9)]), 0);
            assert!(!source.chance_row("b", 1, 1));
        }
        assert_eq!(source.into_carried(), [] as [&str; 0]);
        let mut without = Swarmed::new(Seeded::new(1, 1), swarm).without(&["a"]);
        assert!((0..9).all(|_| *without.pick_row(&["a", "b", "c"], |row| row) == "b"));
    }

    #[test]
    fn a_swarm_is_that_of_its_seed() {
        let draw = |seed| Swarm::draw(&mut Seeded::new(seed, 3));
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(Swarm::draw(&mut Replay::default()).off, 0);
    }
}
