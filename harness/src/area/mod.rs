//! Areas of the engine under attack: what each brings, and the one table they stand in.
//!
//! # Adding an area
//!
//! An area is one part of the engine with its own inputs, promises and planted bugs. Campaign,
//! threads, shards, digest, shrinking, report, `verify`, `replay`, canary, smoke, regressions and
//! catalogue are written once, here and in [`crate::campaign`]; an area brings only what differs.
//! [`crate::arguments`] is the pattern to follow. For an area `leaks`:
//!
//! ```text
//! harness/src/leaks/mod.rs          `pub struct Leaks;` and `impl Area for Leaks`, nothing else
//! harness/src/leaks/case.rs         `Case`: drawn from a `Source`; `impl Sample for Case`; its file
//! harness/src/leaks/run.rs          `Workshop` (engine, sound or planted) and `Run` (case + answers)
//! harness/src/leaks/invariants/     one file for each promise, and the table in `mod.rs`
//! harness/src/leaks/mutants.rs      `Plant` (what is altered) and the table of planted bugs
//! corpus/data/regressions/leaks/    its stored failures, each a test named `leaks/STEM`
//! ```
//!
//! 1. Write the five files. `invariants/mod.rs` opens with
//!    `pub type Invariant = area::Invariant<Leaks>;`, so that its files read as those of
//!    [`crate::arguments::invariants`] do: a `const INVARIANT: Invariant` and a
//!    `fn check(run: &Run<'_>) -> Verdict`.
//! 2. Add `pub mod leaks;` to `lib.rs` and one row to [`AREAS`]: the area, and its share of cases.
//! 3. `cargo test -p harness`. These fail if a step is forgotten: a file without a row or a row
//!    without a file, a name used twice over all areas, a promise without a planted bug or the other
//!    way round (canary), a promise vacuous in over 95% of the area's cases, something reachable that
//!    is reached less than 100 times in 100,000 of them (smoke).
//! 4. `cargo run -- catalog > docs/catalog.md`, and read the difference.
//!
//! What the mechanism relies on:
//!
//! - **A case depends on its choices alone.** [`Area::draw`] asks the [`Source`] and nothing else: no
//!   clock, no address, no map with random order. Choice 0 is the simplest alternative, so that
//!   cases shrink. Draw what hides in a case (salts, seeds of a cut) as choices too.
//! - **A bias is for a batch** of neighbouring cases, so that rare combinations meet: in
//!   [`Area::bias`], draw how far it strays ([`crate::generate::Bias::swarm`] is one such).
//! - **A swarm is for a batch as well**: it switches rows of tables off. Draw from a table with
//!   [`crate::swarm::ChooseRow`], say by [`Source::carry`] what went into the case, and list the names in
//!   [`Area::features`]; the rest (replay, shards, coverage by feature × id × outcome) is written once.
//! - **The workshop is the engine under test**, made once for a campaign and shared by its threads.
//!   A planted bug is a value of [`Area::Plant`]: it alters the engine through a hidden seam (a table, a
//!   function), never a record of what the engine did. [`Area::workshop`] gets `None` for the engine as
//!   it is.
//! - **A run asks the engine at once** for the answer, and lazily for all else that promises look at.
//!   An `Err` from [`Area::run`] says that the generator made a case that cannot be set up; that is a
//!   bug and breaks [`Area::PANICS`].
//! - **A panic anywhere in run, checks or [`Area::seen`]** breaks the promise named by [`Area::PANICS`]
//!   and leaves the area's others vacuous; give it a planted bug that panics.
//! - **The digest** covers all verdicts and what [`Seen::fold`] was given; fold in every answer.
//! - **Names** of promises and planted bugs are unique over all areas. `fence_cannot_be_closed` needs no
//!   prefix; a second `nothing_panics` does: `no_leak_panics`.
//! - **A regression file is the area's own format**: any serde struct with `deny_unknown_fields` and
//!   at least `why` and `found`. [`Sample::to_toml`] writes it, [`Area::read`] reads it, and a case must
//!   survive the way there and back. A file may also say what the answer must be: that is
//!   [`Area::Expected`], held by [`Area::miss`] (use `()` and `None` if there is no such thing).
//!
//! A single case is made again by `pi-repair replay --seed S --case N`: the number says which area it
//! belongs to, by the shares in [`AREAS`]. `pi-repair verify --area leaks` takes only numbers of that area.

mod lab;
pub mod plan;
#[cfg(test)]
mod toy;
mod trial;

use std::fmt::Debug;
use std::sync::Arc;

pub use lab::{
    AnyArea, Batch, Lab, Planted, Promise, ReadyArea, mutant, mutants, promise, promises,
};
pub(crate) use trial::trial;
pub use trial::{Digest, Ended, Seen, Spent, Trial, Wanted};

use crate::conform::Remote;
use crate::source::Source;

/// A row of [`AREAS`].
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// How many of each round of cases are about this area.
    pub share: u32,
    /// The area.
    pub area: &'static dyn AnyArea,
}

/// Every area. Shares are part of what a case number means: another share gives other cases.
pub const AREAS: &[Row] = &[
    Row { share: 20, area: &crate::arguments::Arguments },
    Row { share: 8, area: &crate::leaks::Leaks },
    Row { share: 8, area: &crate::advice::Advice },
    Row { share: 4, area: &crate::session::Session },
    Row { share: 1, area: &crate::loops::Loops },
];

/// One part of the engine with its own inputs, promises and planted bugs; see the page above.
pub trait Area: Copy + Debug + Send + Sync + 'static {
    /// Its name, on the command line and as the folder of its regressions.
    const NAME: &'static str;
    /// Its folder below `harness/src`.
    const FOLDER: &'static str;
    /// The promise that a panic breaks.
    const PANICS: &'static str;
    /// Its promises, sorted by name.
    const INVARIANTS: &'static [Invariant<Self>];
    /// Its planted bugs.
    const MUTANTS: &'static [Mutant<Self::Plant>];
    /// The names of outcomes that [`Seen::outcome`] can have, best first.
    const OUTCOMES: &'static [&'static str];

    /// Members of a regression file, at any depth, that say what is right or what was meant: they are true
    /// of that very input, and of none that is made smaller.
    const MEANT: &'static [&'static str] = &[];

    /// How far the cases of a batch stray from the ordinary.
    type Bias;
    /// One input with all its circumstances.
    type Case: Sample + 'static;
    /// What a planted bug alters.
    type Plant: Debug + Send + Sync + 'static;
    /// The engine under test, and whatever is prepared once for all cases.
    type Workshop: Send + Sync;
    /// A case with the engine's answers.
    type Run<'a>;
    /// What a regression file wants beside the promises.
    type Expected;

    /// The engine as it is, or with a planted bug.
    fn workshop(plant: Option<&Self::Plant>) -> Self::Workshop;

    /// An engine elsewhere in place of ours; `None` if the area cannot be asked of another engine.
    fn elsewhere(_remote: &Arc<Remote>) -> Option<Self::Workshop> {
        None
    }

    /// Names of [`Area::features`] that the engine under test does not claim to know: they are not drawn.
    fn unknown(_workshop: &Self::Workshop) -> Vec<&'static str> {
        Vec::new()
    }

    /// A case as the engine under test can be asked it; what it does not claim to know is left out.
    fn fit(_workshop: &Self::Workshop, case: Self::Case) -> Self::Case {
        case
    }

    /// Draws the bias of a batch.
    fn bias(source: &mut dyn Source) -> Self::Bias;

    /// Draws a case; the same choices give the same case.
    fn draw(source: &mut dyn Source, bias: &Self::Bias) -> Self::Case;

    /// Asks the engine.
    ///
    /// # Errors
    ///
    /// A case that cannot be set up.
    fn run<'a>(workshop: &'a Self::Workshop, case: &'a Self::Case)
    -> Result<Self::Run<'a>, String>;

    /// What a campaign counts of a run.
    fn seen(run: &Self::Run<'_>) -> Seen;

    /// What `replay` prints of a run, by label: the circumstances, then the outcome. The input stands above.
    fn show(run: &Self::Run<'_>) -> Vec<(&'static str, String)>;

    /// Reads a regression file: its cases, and what it wants of each.
    ///
    /// # Errors
    ///
    /// A text that is no such file, or describes no case.
    fn read(slug: &str, text: &str) -> Result<(Vec<Self::Case>, Self::Expected), String>;

    /// How a run differs from what its file wants, if it does.
    fn miss(expected: &Self::Expected, run: &Self::Run<'_>) -> Option<String>;

    /// Promises that say nothing about a case because it was written down rather than drawn.
    fn exempt(_stored: &Self::Case) -> &'static [&'static str] {
        &[]
    }

    /// Every id that a campaign should reach, and that [`Seen::reached`] counts.
    fn reachable() -> Vec<&'static str>;

    /// Everything that cases carry and a batch may switch off: damage, families, places, events. It is
    /// counted against what was reached and against outcomes.
    fn features() -> Vec<&'static str> {
        Vec::new()
    }

    /// The engine's stages on this run, each to be asked again alone and timed.
    fn stages<'r>(_run: &'r Self::Run<'_>) -> Vec<(&'static str, Stage<'r>)> {
        Vec::new()
    }

    /// Sections of the catalogue, printed from the engine's tables.
    fn sections() -> Vec<crate::catalog::Section> {
        Vec::new()
    }
}

/// Asks the engine for one stage of a run, and throws the answer away.
pub type Stage<'r> = Box<dyn Fn() + 'r>;

/// A case that can be shown and written down.
pub trait Sample: Debug {
    /// What the engine was given, in one readable text.
    fn input(&self) -> String;

    /// The same for a cell of a table, where the whole is long and its beginning says little.
    fn brief(&self) -> String {
        self.input()
    }

    /// The regression file; `why` is the broken promise and `found` names seed and number.
    fn to_toml(&self, why: &str, found: &str) -> String;
}

/// What an invariant found on one run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The promise applied and was kept.
    Holds,
    /// The promise says nothing about this run.
    Vacuous,
    /// The promise was broken; the text says how.
    Broken(String),
}

impl Verdict {
    /// Broken with the words of `says` unless `kept`.
    pub fn require(kept: bool, says: impl FnOnce() -> String) -> Self {
        if kept { Self::Holds } else { Self::Broken(says()) }
    }
}

/// A promise, and the planted bugs it must catch.
#[derive(Clone, Copy, Debug)]
pub struct Invariant<A: Area> {
    /// A clause that reads true.
    pub name: &'static str,
    /// The promise, as a sentence.
    pub says: &'static str,
    /// Names of the area's planted bugs that the ordinary campaign must find through this invariant.
    pub kills: &'static [&'static str],
    /// Holds the promise against a run.
    pub check: for<'a> fn(&A::Run<'a>) -> Verdict,
}

/// One planted bug.
#[derive(Clone, Copy, Debug)]
pub struct Mutant<P> {
    /// Its name, on the command line and in the promises that catch it.
    pub name: &'static str,
    /// What the altered engine does wrong.
    pub says: &'static str,
    /// The alteration.
    pub plant: P,
}

/// The area of this name.
pub fn named(name: &str) -> Option<&'static dyn AnyArea> {
    AREAS.iter().map(|row| row.area).find(|area| area.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_a_promise_is_a_row_and_every_row_a_file() {
        for area in AREAS.iter().map(|row| row.area) {
            let folder = format!("{}/src/{}/invariants", env!("CARGO_MANIFEST_DIR"), area.folder());
            let files: BTreeSet<String> = std::fs::read_dir(folder)
                .expect("the folder of the area's invariants")
                .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
                .filter(|stem| stem != "mod")
                .collect();
            let rows: Vec<String> = area.promises().iter().map(|row| row.name.to_owned()).collect();
            assert_eq!(files.into_iter().collect::<Vec<_>>(), rows, "{}", area.name());
        }
    }

    #[test]
    fn names_are_unique_and_panics_have_a_promise() {
        let promises: BTreeSet<&str> = promises().iter().map(|row| row.name).collect();
        assert_eq!(promises.len(), super::promises().len());
        let bugs: BTreeSet<&str> = mutants().iter().map(|row| row.name).collect();
        assert_eq!(bugs.len(), mutants().len());
        for row in AREAS {
            let names: Vec<&str> = row.area.promises().iter().map(|row| row.name).collect();
            assert!(names.contains(&row.area.panics()), "{}", row.area.name());
            assert!(row.share > 0, "{}", row.area.name());
        }
    }
}
