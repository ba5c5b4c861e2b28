//! The campaign: many cases across cores, every promise held against each, counted and reproducible.

mod batch;
pub mod cost;
pub mod finding;
pub mod prune;
pub mod report;
pub mod state;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::area::{Digest, Lab};
pub use batch::{BATCH, run_batch};
pub use cost::Cost;
pub use finding::{Finding, Origin, shrunk};
pub use report::{AreaReport, Report, Tally};

/// How much to run, and where from.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Cases in all, over all areas and shards.
    pub cases: u64,
    /// The seed; with a case number it makes any case again.
    pub seed: u64,
    /// Threads; 0 means one for each core.
    pub threads: usize,
    /// Which part of the cases to run, and of how many.
    pub shard: (u64, u64),
    /// Stops after so long, whatever is left.
    pub time_max: Option<Duration>,
    /// Which promises to hold; all if empty.
    pub only: Vec<&'static str>,
    /// Stops as soon as each of these is broken; never if empty.
    pub until_broken: Vec<&'static str>,
    /// Tries to spend on making each finding smaller.
    pub shrink_max: usize,
    /// Time to spend on making each finding smaller, for an engine that may take long to answer.
    pub shrink_time_max: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cases: 100_000,
            seed: 0x5eed,
            threads: 0,
            shard: (0, 1),
            time_max: None,
            only: Vec::new(),
            until_broken: Vec::new(),
            shrink_max: 3_000,
            shrink_time_max: None,
        }
    }
}

/// Hears how far a campaign is.
pub trait Progress: Sync {
    /// So many more cases are done.
    fn advance(&self, cases: u64);

    /// This much is done for good: what comes next can be run another day.
    fn keep(&self, _begun: &Begun) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _: u64) {}
}

/// A campaign up to some batch: what was counted, with the findings as they were met.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Batches of the shard that are done; those that follow are yet to be run.
    pub batches: u64,
    /// The digest of the first of them, by which another engine is told from this one.
    pub first: Digest,
    /// What they counted.
    pub report: Report,
}

impl Begun {
    /// Nothing done yet.
    pub fn new(seed: u64) -> Self {
        Self { batches: 0, first: Digest::default(), report: Report::new(seed) }
    }

    fn add(&mut self, part: Report) {
        if self.batches == 0 {
            self.first = part.digest;
        }
        self.batches += 1;
        self.report.add(part);
    }
}

/// Batches a thread takes before the results so far are put together.
const WAVE: u64 = 4;

/// Runs a campaign until its cases are done, its time is up or `stop` is set.
///
/// The digest depends on the seed and on which cases ran, never on threads or timing.
///
/// # Panics
///
/// If the threads cannot be started.
pub fn run(settings: &Settings, lab: &Lab, progress: &dyn Progress, stop: &AtomicBool) -> Report {
    let mut report = hunt(settings, lab, progress, stop);
    make_small(&mut report, settings, lab);
    report
}

fn pool(settings: &Settings) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build();
    pool.expect("threads can be started")
}

/// Makes the findings of a hunt smaller.
///
/// # Panics
///
/// If the threads cannot be started.
pub fn make_small(report: &mut Report, settings: &Settings, lab: &Lab) {
    finding::shrink_all(report, settings, lab, &pool(settings));
}

/// As [`run`], with the findings as they were met.
///
/// # Panics
///
/// If the threads cannot be started.
pub fn hunt(settings: &Settings, lab: &Lab, progress: &dyn Progress, stop: &AtomicBool) -> Report {
    let mut begun = Begun::new(settings.seed);
    go_on(settings, lab, &mut begun, progress, stop);
    begun.report
}

/// As [`hunt`], from where another run of the same campaign stopped.
///
/// Whatever the interruptions, the same counts and the same digest come of it in the end.
///
/// # Panics
///
/// If the threads cannot be started.
pub fn go_on(
    settings: &Settings,
    lab: &Lab,
    begun: &mut Begun,
    progress: &dyn Progress,
    stop: &AtomicBool,
) {
    let pool = pool(settings);
    let clock = Instant::now();
    let done = usize::try_from(begun.batches).unwrap_or(usize::MAX);
    let mut batches = mine(settings);
    batches.drain(..done.min(batches.len()));
    begun.report.complete = true;
    let wave = usize::try_from(WAVE).unwrap_or(4) * pool.current_num_threads();
    while !batches.is_empty() {
        let late = settings.time_max.is_some_and(|most| clock.elapsed() >= most);
        let broken = begun.report.has_broken(&settings.until_broken);
        if late || stop.load(Ordering::Relaxed) || broken {
            begun.report.complete = broken;
            break;
        }
        let rest = batches.split_off(batches.len().min(wave));
        let one = |batch: &u64| {
            let done = run_batch(settings, lab, *batch);
            progress.advance(done.cases);
            done
        };
        let done: Vec<Report> = pool.install(|| batches.par_iter().map(one).collect());
        for part in done {
            begun.add(part);
        }
        progress.keep(begun);
        batches = rest;
    }
}

/// The numbers of the batches that belong to this shard.
fn mine(settings: &Settings) -> Vec<u64> {
    let (index, of) = settings.shard;
    (0..settings.cases.div_ceil(BATCH)).filter(|batch| batch % of.max(1) == index).collect()
}
