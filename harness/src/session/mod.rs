//! The area of sessions: repairs on their way to their notes, records and logs, settings files.

pub mod case;
pub mod invariants;
pub mod meaning;
pub mod model;
pub mod mutants;
pub mod run;
mod tables;

use crate::area::{Area, Invariant, Mutant, Seen};
use crate::catalog::Section;
use crate::source::Source;
use case::{Bias, Case};
use mutants::Plant;
use run::{Run, Workshop};

/// What happens around calls: lifecycle, telemetry and settings.
#[derive(Clone, Copy, Debug)]
pub struct Session;

impl Area for Session {
    const NAME: &'static str = "session";
    const FOLDER: &'static str = "session";
    const PANICS: &'static str = "no_session_panics";
    const INVARIANTS: &'static [Invariant<Self>] = invariants::INVARIANTS;
    const MUTANTS: &'static [Mutant<Plant>] = mutants::MUTANTS;
    const OUTCOMES: &'static [&'static str] =
        &["noted", "silent", "saved", "unreadable", "unsaved"];

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
        tables::reachable()
    }

    fn features() -> Vec<&'static str> {
        case::features()
    }

    fn sections() -> Vec<Section> {
        tables::sections()
    }
}
