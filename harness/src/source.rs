//! Bounded choices: one small source feeds the campaign, the fuzzer and the property tests alike.

/// Hands out bounded choices. Zero always stands for the simplest alternative, so that a case shrinks by its choices.
pub trait Source {
    /// A choice in `0..n`. With `n` below two there is nothing to choose: the answer is 0 and nothing is consumed.
    fn below(&mut self, n: u32) -> u32;

    /// Whether the row of this name may be drawn; see [`crate::swarm`].
    fn allows(&self, _id: &str) -> bool {
        true
    }

    /// Whether the row of this name means nothing here, so that not even as the simplest it is drawn.
    fn lacks(&self, _id: &str) -> bool {
        false
    }

    /// Hears that the row of this name went into the case.
    fn carry(&mut self, _id: &'static str) {}
}

impl<S: Source + ?Sized> Source for &mut S {
    fn below(&mut self, n: u32) -> u32 {
        (**self).below(n)
    }

    fn allows(&self, id: &str) -> bool {
        (**self).allows(id)
    }

    fn lacks(&self, id: &str) -> bool {
        (**self).lacks(id)
    }

    fn carry(&mut self, id: &'static str) {
        (**self).carry(id);
    }
}

/// The usual questions, asked of any [`Source`].
pub trait Choose: Source {
    /// True in `num` of `den` cases; choice 0 means false.
    fn chance(&mut self, num: u32, den: u32) -> bool {
        self.below(den) >= den.saturating_sub(num)
    }

    /// A number in `low..=high`; choice 0 means `low`.
    fn range(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// An index in `0..len`; choice 0 means the first.
    fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// One of `items`; choice 0 means the first.
    ///
    /// # Panics
    ///
    /// When `items` is empty.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// An index, each as likely as its weight says; choice 0 means the first with a weight.
    fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        0
    }
}

impl<S: Source + ?Sized> Choose for S {}

/// The generator `SplitMix64`, keyed by a seed and a case number: any case can be made again without those before it.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// The source of case number `case` under `seed`.
    pub fn new(seed: u64, case: u64) -> Self {
        Self { state: mix(seed) ^ mix(case.wrapping_add(0x51ed_270b_3a8f_4c11)) }
    }
}

impl Source for Seeded {
    fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let high = mix(self.state) >> 32;
        u32::try_from((high * u64::from(n)) >> 32).unwrap_or(0)
    }
}

fn mix(value: u64) -> u64 {
    let once = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let twice = (once ^ (once >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    twice ^ (twice >> 31)
}

/// Answers from a list, and zero past its end; remembers what it answered.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    choices: Vec<u32>,
    used: Vec<u32>,
}

impl Replay {
    /// Answers `choices` in order; one that is out of bounds is taken modulo the bound.
    pub fn new(choices: Vec<u32>) -> Self {
        Self { choices, used: Vec::new() }
    }

    /// The answers given so far, each within its bound: the canonical form of the list.
    pub fn used(&self) -> &[u32] {
        &self.used
    }
}

impl Source for Replay {
    fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let answer = self.choices.get(self.used.len()).map_or(0, |choice| choice % n);
        self.used.push(answer);
        answer
    }
}

/// Passes another source's answers on, and keeps them.
#[derive(Clone, Debug)]
pub struct Recording<S> {
    inner: S,
    choices: Vec<u32>,
}

impl<S: Source> Recording<S> {
    /// Records `inner`.
    pub fn new(inner: S) -> Self {
        Self { inner, choices: Vec::new() }
    }

    /// What was answered so far; fed to a [`Replay`], it makes the same case again.
    pub fn choices(&self) -> &[u32] {
        &self.choices
    }

    /// The recorded choices, without the source.
    pub fn into_choices(self) -> Vec<u32> {
        self.choices
    }
}

impl<S: Source> Source for Recording<S> {
    fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let answer = self.inner.below(n);
        self.choices.push(answer);
        answer
    }
}

/// Makes a failing list of choices simpler: deletes spans, zeroes spans, lowers values, then simplifies branches.
///
/// Deterministic; calls `still_fails` at most `tries_max` times and never on the list it was given.
/// The result fails whenever the given list does.
pub fn shrink(
    choices: &[u32],
    still_fails: impl FnMut(&[u32]) -> bool,
    tries_max: usize,
) -> Vec<u32> {
    let mut search = Search { best: choices.to_vec(), still_fails, tries: tries_max };
    loop {
        let before = search.best.clone();
        search.delete_spans();
        search.zero_spans();
        search.lower_values();
        search.simplify_branches();
        search.trim_zeros();
        if search.best == before || search.tries == 0 {
            return search.best;
        }
    }
}

struct Search<F> {
    best: Vec<u32>,
    still_fails: F,
    tries: usize,
}

impl<F: FnMut(&[u32]) -> bool> Search<F> {
    fn offer(&mut self, candidate: Vec<u32>) -> bool {
        if self.tries == 0 || candidate == self.best {
            return false;
        }
        self.tries -= 1;
        let fails = (self.still_fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Removes spans from long to short, from the end to the front.
    fn delete_spans(&mut self) {
        for span in spans(self.best.len()) {
            let mut end = self.best.len();
            while end >= span && self.tries > 0 {
                let mut candidate = self.best.clone();
                candidate.drain(end - span..end);
                let step = if self.offer(candidate) { span } else { span.div_ceil(2) };
                end = end.saturating_sub(step).min(self.best.len());
            }
        }
    }

    fn zero_spans(&mut self) {
        for span in spans(self.best.len()) {
            let mut start = 0;
            while start + span <= self.best.len() && self.tries > 0 {
                let mut candidate = self.best.clone();
                candidate[start..start + span].fill(0);
                self.offer(candidate);
                start += span;
            }
        }
    }

    /// Bisects each value towards zero.
    fn lower_values(&mut self) {
        for index in 0..self.best.len() {
            let mut low = 0;
            while let Some(&value) = self.best.get(index) {
                if low >= value || self.tries == 0 {
                    break;
                }
                let middle = low + (value - low) / 2;
                let mut candidate = self.best.clone();
                candidate[index] = middle;
                if !self.offer(candidate) {
                    low = middle + 1;
                }
            }
        }
    }

    /// Zeroes one choice where that changes how many choices follow from it.
    ///
    /// INVARIANT: the number of choices that are not zero falls, so this ends although a list may grow.
    fn simplify_branches(&mut self) {
        for index in 0..self.best.len() {
            for length in [-2_isize, -1, 1, 2] {
                if self.best.get(index).is_none_or(|choice| *choice == 0) {
                    break;
                }
                let mut candidate = self.best.clone();
                candidate[index] = 0;
                let after = (index + 1).min(candidate.len());
                let removed = (after + length.unsigned_abs()).min(candidate.len());
                if length < 0 {
                    candidate.drain(after..removed);
                } else {
                    candidate.splice(after..after, vec![0; length.unsigned_abs()]);
                }
                self.offer(candidate);
            }
        }
    }

    /// Past the end a replay answers zero, so trailing zeros say nothing.
    fn trim_zeros(&mut self) {
        let kept = self.best.iter().rposition(|choice| *choice != 0).map_or(0, |last| last + 1);
        let candidate = self.best[..kept].to_vec();
        self.offer(candidate);
    }
}

/// Span lengths to try on a list of `len`: powers of two, from the longest that fits to one.
fn spans(len: usize) -> impl Iterator<Item = usize> {
    (0..=len.checked_ilog2().unwrap_or(0)).rev().map(|power| 1_usize << power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A replay over arbitrary choices: the form in which property tests use the generators.
    fn replays() -> impl Strategy<Value = Replay> {
        proptest::collection::vec(any::<u32>(), 0..64).prop_map(Replay::new)
    }

    proptest! {
        #[test]
        fn answers_stay_in_bounds(mut source in replays(), bound in 1_u32..1000) {
            for _ in 0..80 {
                prop_assert!(source.below(bound) < bound);
            }
        }

        #[test]
        fn weighted_never_picks_a_zero_weight(mut source in replays()) {
            for _ in 0..40 {
                prop_assert!([1, 3].contains(&source.weighted(&[0, 2, 0, 1])));
            }
        }
    }

    #[test]
    fn same_key_same_answers_and_other_keys_differ() {
        let run = |seed, case| {
            let mut source = Seeded::new(seed, case);
            (0..32).map(|_| source.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(run(1, 2), run(1, 2));
        assert_ne!(run(1, 2), run(2, 1));
        assert_ne!(run(0, 0), run(0, 1));
    }

    #[test]
    fn a_recording_replays() {
        let mut recording = Recording::new(Seeded::new(7, 7));
        let first: Vec<u32> = (1..40).map(|n| recording.below(n)).collect();
        let mut replay = Replay::new(recording.into_choices());
        assert_eq!((1..40).map(|n| replay.below(n)).collect::<Vec<_>>(), first);
    }

    #[test]
    fn zero_is_the_simplest_answer() {
        let mut source = Replay::default();
        assert!(!source.chance(9, 10));
        assert!(source.chance(10, 10));
        assert_eq!(source.range(3, 9), 3);
        assert_eq!(*source.pick(&["a", "b"]), "a");
    }

    #[test]
    fn shrinking_finds_the_smallest_failing_list() {
        let noise: Vec<u32> = (0..200).map(|n| n * 7 % 90).collect();
        let mut tries = 0;
        let small = shrink(
            &noise,
            |choices| {
                tries += 1;
                choices.iter().any(|choice| *choice >= 37)
                    && choices.iter().any(|choice| choice % 10 == 3)
            },
            2_000,
        );
        assert_eq!(small, [43]);
        assert!(tries <= 2_000, "{tries}");
    }

    #[test]
    fn shrinking_ends_when_nothing_fails() {
        assert_eq!(shrink(&[3, 1, 4], |_| false, 100), [3, 1, 4]);
        assert_eq!(shrink(&[3, 1, 4], |_| true, 100), [] as [u32; 0]);
    }
}
