//! Fuzz targets: one plain function for each entry point of the engine, without any fuzzer in it.
//!
//! A target makes a case of an area out of bytes and holds the promises of that area against it, so that
//! what a fuzzer finds is a case like any other: it is printed as a regression file, and
//! `pi-repair replay --target NAME FILE` shows it. Targets of *choices* read the bytes as the choices of
//! the area's generator, targets of *text* as what a model, a provider or a disk hands in.
//!
//! To add one: a file here with its `TARGET`, its row in [`TARGETS`], a file of one line in
//! `fuzz/fuzz_targets/` and its `[[bin]]`. A test fails if one of them is missing.

pub mod advisor;
pub mod arguments;
pub mod bytes;
pub mod dictionary;
pub mod error_text;
pub mod leak_text;
pub mod leaks;
pub mod log;
pub mod names;
mod pool;
mod raw;
pub mod reader;
mod seeds;
pub mod session;
pub mod settings;
mod shop;
pub mod text;
pub mod tool;
pub mod value;

pub use raw::Raw;

use crate::area::{Trial, Wanted};

/// One entry point under attack.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: of its file, of the fuzzer's binary, and of the folder of its corpus.
    pub name: &'static str,
    /// What it attacks, and what its bytes are.
    pub says: &'static str,
    /// The area whose promises it holds.
    pub area: &'static str,
    /// Makes a case of bytes and judges it; `None` for bytes that are no case.
    pub run: fn(&[u8], Wanted<'_>) -> Option<Trial>,
    /// Inputs to begin with, written from the corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target, sorted by name.
pub const TARGETS: &[Target] = &[
    advisor::TARGET,
    arguments::TARGET,
    error_text::TARGET,
    leak_text::TARGET,
    leaks::TARGET,
    log::TARGET,
    names::TARGET,
    reader::TARGET,
    session::TARGET,
    settings::TARGET,
    text::TARGET,
    tool::TARGET,
    value::TARGET,
];

/// The target of this name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// What is wrong with the engine's answer to one input, and the regression file to store.
    pub fn complaint(&self, data: &[u8]) -> Option<String> {
        complaint(self.name, self.area, (self.run)(data, Wanted::default()))
    }
}

/// Tells the fuzzer of a broken promise.
///
/// A target calls this on its own trial and not through its row: what no target reaches is left out of its
/// binary, and every place in a binary costs a fuzzer time on every input.
///
/// # Panics
///
/// If a promise is broken, with all that is known of it.
fn hold(name: &str, area: &str, trial: Option<Trial>) {
    if let Some(says) = complaint(name, area, trial) {
        panic!("{says}");
    }
}

fn complaint(name: &str, area: &str, trial: Option<Trial>) -> Option<String> {
    let trial = trial?;
    let broken: Vec<String> =
        trial.broken().map(|(name, says)| format!("{name}: {says}")).collect();
    let first = broken.first()?;
    let sent: String = trial.case.input().chars().take(4_000).collect();
    let file = trial.case.to_toml(first, &format!("fuzz target {name}"));
    let place = format!("corpus/data/regressions/{area}/CAUSE.toml");
    Some(format!("{}\nsent: {sent}\n--- {place}\n{file}---", broken.join("\n")))
}
