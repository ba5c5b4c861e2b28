//! The area of leaked calls: messages with calls printed into them, what becomes of them, what must hold.

pub mod case;
mod elsewhere;
mod fit;
pub mod invariants;
pub mod mutants;
pub mod oracle;
pub mod run;
pub mod seen;
mod tables;
pub mod tools;

use std::sync::Arc;

use crate::area::{Area, Invariant, Mutant, Seen, Stage};
use crate::catalog::Section;
use crate::conform::{Operation, Remote};
use crate::source::Source;
use case::Case;
use case::draw::{self, Strays};
use case::file::{self, Expected};
use mutants::Plant;
use run::{Run, Workshop};

/// Calls that models print as text.
#[derive(Clone, Copy, Debug)]
pub struct Leaks;

impl Area for Leaks {
    const NAME: &'static str = "leaks";
    const FOLDER: &'static str = "leaks";
    const PANICS: &'static str = "no_leak_panics";
    const INVARIANTS: &'static [Invariant<Self>] = invariants::INVARIANTS;
    const MUTANTS: &'static [Mutant<Plant>] = mutants::MUTANTS;
    const OUTCOMES: &'static [&'static str] = &["promoted", "stripped", "kept", "nothing-found"];
    const MEANT: &'static [&'static str] = &["intent", "blocks", "mentions", "calls", "left"];

    type Bias = Strays;
    type Case = Case;
    type Plant = Plant;
    type Workshop = Workshop;
    type Run<'a> = Run<'a>;
    type Expected = Expected;

    fn workshop(plant: Option<&Plant>) -> Workshop {
        Workshop::new(plant)
    }

    fn elsewhere(remote: &Arc<Remote>) -> Option<Workshop> {
        remote.hello().can(Operation::Treat).then(|| Workshop::elsewhere(remote))
    }

    fn unknown(workshop: &Workshop) -> Vec<&'static str> {
        workshop.hello().map_or_else(Vec::new, fit::unknown)
    }

    fn fit(workshop: &Workshop, case: Case) -> Case {
        match workshop.hello() {
            Some(hello) => fit::fit(hello, case),
            None => case,
        }
    }

    fn bias(source: &mut dyn Source) -> Strays {
        Strays::draw(source)
    }

    fn draw(source: &mut dyn Source, bias: &Strays) -> Case {
        draw::draw(source, bias)
    }

    fn run<'a>(workshop: &'a Workshop, case: &'a Case) -> Result<Run<'a>, String> {
        Ok(Run::new(workshop, case))
    }

    fn seen(run: &Run<'_>) -> Seen {
        tables::seen(run)
    }

    fn show(run: &Run<'_>) -> Vec<(&'static str, String)> {
        run.show()
    }

    fn read(slug: &str, text: &str) -> Result<(Vec<Case>, Expected), String> {
        file::read(slug, text)
    }

    fn miss(expected: &Expected, run: &Run<'_>) -> Option<String> {
        run.miss(expected)
    }

    fn reachable() -> Vec<&'static str> {
        tables::reachable()
    }

    fn features() -> Vec<&'static str> {
        draw::features()
    }

    fn stages<'r>(run: &'r Run<'_>) -> Vec<(&'static str, Stage<'r>)> {
        run.stages()
    }

    fn sections() -> Vec<Section> {
        tables::sections()
    }
}
