//! The campaign: many cases across cores, every promise held against each, counted and reproducible.

mod batch;
pub mod finding;
pub mod report;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::area::Lab;
pub use batch::{BATCH, run_batch};
pub use finding::{Finding, Origin};
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
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _: u64) {}
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
    let pool = pool(settings);
    let mut report = Report::new(settings.seed);
    let began = Instant::now();
    let mut batches = mine(settings);
    let wave = usize::try_from(WAVE).unwrap_or(4) * pool.current_num_threads();
    while !batches.is_empty() {
        let late = settings.time_max.is_some_and(|most| began.elapsed() >= most);
        if late || stop.load(Ordering::Relaxed) || report.has_broken(&settings.until_broken) {
            report.complete = report.has_broken(&settings.until_broken);
            break;
        }
        let rest = batches.split_off(batches.len().min(wave));
        let done: Vec<Report> = pool.install(|| {
            batches
                .par_iter()
                .map(|batch| {
                    let done = run_batch(settings, lab, *batch);
                    progress.advance(done.cases);
                    done
                })
                .collect()
        });
        for part in done {
            report.add(part);
        }
        batches = rest;
    }
    report
}

/// The numbers of the batches that belong to this shard.
fn mine(settings: &Settings) -> Vec<u64> {
    let (index, of) = settings.shard;
    (0..settings.cases.div_ceil(BATCH)).filter(|batch| batch % of.max(1) == index).collect()
}
