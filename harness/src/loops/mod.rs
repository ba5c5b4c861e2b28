//! The area of loops: generated scripts played in pi's loop, on every generation, with and without the engine.

pub mod case;
pub mod features;
pub mod invariants;
pub mod mutants;
pub mod run;

use crate::area::{Area, Invariant, Mutant, Seen};
use crate::source::Source;
use case::{Bias, Case};
use mutants::Plant;
use run::{Run, Workshop};

/// The engine at work in a session of the host.
#[derive(Clone, Copy, Debug)]
pub struct Loops;

impl Area for Loops {
    const NAME: &'static str = "loop";
    const FOLDER: &'static str = "loops";
    const PANICS: &'static str = "no_loop_panics";
    const INVARIANTS: &'static [Invariant<Self>] = invariants::INVARIANTS;
    const MUTANTS: &'static [Mutant<Plant>] = mutants::MUTANTS;
    const OUTCOMES: &'static [&'static str] = &["alike", "changed", "unplayable"];

    type Bias = Bias;
    type Case = Case;
    type Plant = Plant;
    type Workshop = Workshop;
    type Run<'a> = Run<'a>;
    type Expected = ();

    fn workshop(plant: Option<&Plant>) -> Workshop {
        Workshop::new(plant.copied().unwrap_or(Plant::NONE))
    }

    fn bias(source: &mut dyn Source) -> Bias {
        Bias::swarm(source)
    }

    fn draw(source: &mut dyn Source, bias: &Bias) -> Case {
        Case::draw(source, bias)
    }

    fn run<'a>(workshop: &'a Workshop, case: &'a Case) -> Result<Run<'a>, String> {
        Run::new(workshop, case)
    }

    fn seen(run: &Run<'_>) -> Seen {
        run.seen()
    }

    fn show(run: &Run<'_>) -> Vec<(&'static str, String)> {
        run.show()
    }

    fn read(slug: &str, text: &str) -> Result<(Vec<Case>, ()), String> {
        Ok((vec![Case::from_toml(slug, text)?], ()))
    }

    fn miss((): &(), _run: &Run<'_>) -> Option<String> {
        None
    }

    fn reachable() -> Vec<&'static str> {
        run::HAPPENINGS.to_vec()
    }

    fn features() -> Vec<&'static str> {
        features::FEATURES.iter().map(|row| row.id).collect()
    }
}
