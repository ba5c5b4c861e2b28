//! The area of error texts and sessions: what a host reports, which notes are due, what must hold of them.

pub mod case;
mod elsewhere;
mod fit;
pub mod invariants;
pub mod model;
pub mod mutants;
pub mod run;
pub mod subject;
mod tables;

use std::sync::Arc;

use engine::advisor::NoteKind;

use crate::area::{Area, Invariant, Mutant, Seen, Stage};
use crate::catalog::Section;
use crate::conform::Remote;
use crate::source::Source;
use case::{Bias, Case};
use mutants::Plant;
use run::{Run, Workshop};

/// The error advisor and its classifier.
#[derive(Clone, Copy, Debug)]
pub struct Advice;

impl Area for Advice {
    const NAME: &'static str = "advisor";
    const FOLDER: &'static str = "advice";
    const PANICS: &'static str = "no_note_panics";
    const INVARIANTS: &'static [Invariant<Self>] = invariants::INVARIANTS;
    const MUTANTS: &'static [Mutant<Plant>] = mutants::MUTANTS;
    const OUTCOMES: &'static [&'static str] =
        &["silent", "one note", "several notes", "no session"];
    const MEANT: &'static [&'static str] = &["said"];

    type Bias = Bias;
    type Case = Case;
    type Plant = Plant;
    type Workshop = Workshop;
    type Run<'a> = Run<'a>;
    type Expected = ();

    fn workshop(plant: Option<&Plant>) -> Workshop {
        Workshop::new(plant.copied())
    }

    fn elsewhere(remote: &Arc<Remote>) -> Option<Workshop> {
        Workshop::elsewhere(remote)
    }

    fn fit(workshop: &Workshop, case: Case) -> Case {
        workshop.fit(case)
    }

    fn bias(source: &mut dyn Source) -> Bias {
        Bias::swarm(source)
    }

    fn draw(source: &mut dyn Source, bias: &Bias) -> Case {
        Case::draw(source, bias)
    }

    fn run<'a>(workshop: &'a Workshop, case: &'a Case) -> Result<Run<'a>, String> {
        Ok(Run::new(workshop, case))
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

    fn miss((): &(), _: &Run<'_>) -> Option<String> {
        None
    }

    fn reachable() -> Vec<&'static str> {
        let kinds = [NoteKind::Compaction, NoteKind::ProviderError, NoteKind::CommandFailure];
        tables::rules().chain(kinds.map(NoteKind::name)).collect()
    }

    fn features() -> Vec<&'static str> {
        case::features()
    }

    fn stages<'r>(run: &'r Run<'_>) -> Vec<(&'static str, Stage<'r>)> {
        run.stages()
    }

    fn sections() -> Vec<Section> {
        tables::sections()
    }
}
