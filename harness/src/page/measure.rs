//! Times taken for the page, one case at a time: while a campaign runs, threads disturb each other.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::area::{Lab, Wanted};
use crate::campaign::{Origin, Report};

/// Cases of an area on which the engine's stages are timed.
const SAMPLE: usize = 240;

/// Slowest cases of an area that are shown.
const SLOW_SHOWN: usize = 6;

/// A case that takes long.
#[derive(Clone, Debug)]
pub struct SlowCase {
    /// Where it comes from.
    pub origin: Origin,
    /// How long the engine takes, at the least of several times.
    pub answer: Duration,
    /// What is sent.
    pub input: String,
}

/// How long one stage of the engine takes over many cases.
#[derive(Clone, Copy, Debug)]
pub struct StageCost {
    /// The stage.
    pub name: &'static str,
    /// Cases that reach it.
    pub cases: usize,
    /// Half of them take less.
    pub median: Duration,
    /// Ninety-nine of a hundred take less.
    pub high: Duration,
    /// None takes more.
    pub most: Duration,
}

/// What was measured of one area.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The engine's stages, in order.
    pub stages: Vec<StageCost>,
    /// The slowest cases, slowest first.
    pub slow: Vec<SlowCase>,
}

/// Measures every area of a campaign.
pub fn measure(report: &Report, lab: &Lab) -> BTreeMap<&'static str, Measured> {
    let areas = report.areas.iter();
    areas
        .map(|(name, area)| {
            let slow = area.cost.slow.iter();
            let mut slow: Vec<SlowCase> = slow
                .filter_map(|slow| again(Origin { seed: report.seed, number: slow.number }, lab))
                .collect();
            slow.sort_by_key(|case| std::cmp::Reverse(case.answer));
            slow.truncate(SLOW_SHOWN);
            (*name, Measured { stages: stages(name, report, lab), slow })
        })
        .collect()
}

/// A case asked three times more, alone.
fn again(origin: Origin, lab: &Lab) -> Option<SlowCase> {
    // The name of no promise: all that is wanted is the answer.
    let wanted = Wanted { only: &[""], show: false };
    let once = || lab.case(origin, &mut origin.choices(), wanted);
    let first = once()?;
    let times = [&first, &once()?, &once()?].map(|trial| trial.spent.answer);
    let answer = times.into_iter().min().unwrap_or_default();
    Some(SlowCase { origin, answer, input: first.case.input() })
}

fn stages(area: &str, report: &Report, lab: &Lab) -> Vec<StageCost> {
    let numbers = (0..report.cases).filter_map(|index| lab.number(index));
    let own = |number: &u64| lab.owner(*number).is_some_and(|owner| owner.name() == area);
    let mut order: Vec<&'static str> = Vec::new();
    let mut times: BTreeMap<&'static str, Vec<Duration>> = BTreeMap::new();
    for number in numbers.filter(own).take(SAMPLE) {
        for (name, time) in lab.stages(Origin { seed: report.seed, number }) {
            if !order.contains(&name) {
                order.push(name);
            }
            times.entry(name).or_default().push(time);
        }
    }
    let cost = |name: &'static str| {
        let mut times = times.remove(name)?;
        times.sort_unstable();
        let at =
            |share: usize| times.get((times.len() * share / 100).min(times.len() - 1)).copied();
        let (median, high, most) = (at(50)?, at(99)?, at(100)?);
        Some(StageCost { name, cases: times.len(), median, high, most })
    };
    order.into_iter().filter_map(cost).collect()
}
