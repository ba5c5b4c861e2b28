//! What a campaign took: time by stage and by case. It differs from run to run, so no digest, count or
//! verdict knows of it.

use serde::{Deserialize, Serialize};

use crate::area::Spent;

/// Slowest cases that are remembered of an area.
const SLOW_MAX: usize = 24;

/// Classes of answering time: class `n` is below `2^n` microseconds, the last has no bound.
pub const CLASSES: usize = 18;

/// A case that took long to answer.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Slow {
    /// Its number.
    pub number: u64,
    /// Nanoseconds until the engine had answered.
    pub answer_ns: u64,
}

/// What the cases of one area took.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Cost {
    /// Nanoseconds spent on making cases.
    pub draw_ns: u64,
    /// Nanoseconds spent on setting cases up and asking the engine.
    pub answer_ns: u64,
    /// Nanoseconds spent on holding promises.
    pub judge_ns: u64,
    /// Cases by the class of their answering time.
    pub classes: Vec<u64>,
    /// The slowest cases, slowest first.
    pub slow: Vec<Slow>,
}

impl Cost {
    /// Counts a case.
    pub(super) fn count(&mut self, number: u64, spent: Spent) {
        let [draw, answer_ns, judge] = [spent.draw, spent.answer, spent.judge]
            .map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        self.draw_ns += draw;
        self.answer_ns += answer_ns;
        self.judge_ns += judge;
        self.classes.resize(CLASSES, 0);
        let microseconds = answer_ns / 1_000;
        let class = (u64::BITS - microseconds.leading_zeros()) as usize;
        self.classes[class.min(CLASSES - 1)] += 1;
        self.keep(Slow { number, answer_ns });
    }

    /// Adds the cost of other cases.
    pub(super) fn add(&mut self, next: Self) {
        self.draw_ns += next.draw_ns;
        self.answer_ns += next.answer_ns;
        self.judge_ns += next.judge_ns;
        self.classes.resize(CLASSES, 0);
        for (sum, count) in self.classes.iter_mut().zip(next.classes) {
            *sum += count;
        }
        for slow in next.slow {
            self.keep(slow);
        }
    }

    fn keep(&mut self, slow: Slow) {
        let at = self.slow.partition_point(|known| known.answer_ns >= slow.answer_ns);
        if at < SLOW_MAX {
            self.slow.insert(at, slow);
            self.slow.truncate(SLOW_MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_slowest_are_kept_whatever_their_order() {
        let mut cost = Cost::default();
        for number in 0..100 {
            let answer = Duration::from_micros(number * 7 % 100);
            cost.count(number, Spent { answer, ..Spent::default() });
        }
        assert_eq!(cost.slow.len(), SLOW_MAX);
        assert_eq!(cost.slow[0].answer_ns, 99_000);
        assert!(cost.slow.is_sorted_by(|a, b| a.answer_ns >= b.answer_ns));
        assert_eq!(cost.classes.iter().sum::<u64>(), 100);
        assert_eq!(&cost.classes[..4], [1, 1, 2, 4]);
    }
}
