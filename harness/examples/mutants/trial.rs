//! Tries mutants: the tests that pass one are run with it, cheapest first, until one notices.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::cover::Test;
use super::listed::Mutant;
use super::tables::{Ended, Outcome, say};
use super::tree::LeftOut;

/// How much longer than usual a test may take with a mutant, and the least it may take.
const LONGER: u32 = 8;
const LEAST: Duration = Duration::from_secs(6);

/// Tries all mutants but those that are left out. Ctrl-C ends it early: then only files whose mutants were all
/// tried are in what it found.
pub(crate) fn try_all(
    mutants: &[Mutant],
    left_out: &BTreeMap<usize, LeftOut>,
    tests: &[Test],
    jobs: usize,
) -> Result<Vec<Outcome>, String> {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {eta} left, {msg} survived");
    let bar = ProgressBar::new(mutants.len() as u64);
    bar.set_style(style.map_err(|error| error.to_string())?);
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed))
        .map_err(|error| error.to_string())?;
    let next = AtomicUsize::new(0);
    let all = Mutex::new((0_u64, BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(number) else { break };
                    let ended = match left_out.get(&number) {
                        Some(LeftOut::Unviable) => Ended::Unviable,
                        Some(LeftOut::NotWoven) => Ended::NotTried,
                        None => attempt(number, tests),
                    };
                    let outcome =
                        Outcome { name: mutant.name.clone(), file: mutant.file.clone(), ended };
                    if let Ok(mut all) = all.lock() {
                        all.0 += u64::from(ended == Ended::Missed);
                        bar.set_message(all.0.to_string());
                        all.1.insert(number, outcome);
                        // The bar is seen on a terminal alone.
                        if bar.is_hidden() && all.1.len() % 500 == 0 {
                            say(&format!("{} tried, {} survived\n", all.1.len(), all.0));
                        }
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish();
    let (_, mut outcomes) = all.into_inner().map_err(|error| error.to_string())?;
    let untried = mutants.iter().enumerate().filter(|(number, _)| !outcomes.contains_key(number));
    let untried: BTreeSet<&str> = untried.map(|(_, mutant)| mutant.file.as_str()).collect();
    outcomes.retain(|_, outcome| !untried.contains(outcome.file.as_str()));
    Ok(outcomes.into_values().collect())
}

fn attempt(number: usize, tests: &[Test]) -> Ended {
    let mut failed = false;
    for test in tests.iter().filter(|test| test.passes.contains(&number)) {
        match run(number, test) {
            Ok(Some(status)) if status.success() => {}
            Ok(Some(_)) => return Ended::Caught,
            Ok(None) => return Ended::TimedOut,
            Err(_) => failed = true,
        }
    }
    if failed { Ended::NotTried } else { Ended::Missed }
}

/// How a test ends with a mutant; `None` if it does not.
fn run(number: usize, test: &Test) -> io::Result<Option<ExitStatus>> {
    let mut command = test.command();
    command.env("WOVEN", number.to_string());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let until = Instant::now() + (test.time * LONGER).max(LEAST);
    let mut pause = Duration::from_millis(1);
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(id), nix::sys::signal::SIGKILL);
    }
    let _ = child.kill();
    child.wait()?;
    Ok(None)
}
