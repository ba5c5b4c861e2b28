//! The area of tool arguments and tool names: what is sent, what the engine makes of it, what must hold.

pub mod case;
mod elsewhere;
mod expect;
mod fit;
pub mod invariants;
pub mod mutants;
pub mod run;
pub mod subject;
mod tables;

use std::sync::Arc;

use crate::area::{Area, Invariant, Mutant, Seen, Stage};
use crate::catalog::Section;
use crate::conform::Remote;
use crate::generate::Bias;
use crate::malform::MALFORMATIONS;
use crate::source::Source;
use case::Case;
pub(crate) use elsewhere::{detail, interned};
use mutants::Plant;
use run::{Run, Workshop};

/// Arguments of a call, and the name of its tool.
#[derive(Clone, Copy, Debug)]
pub struct Arguments;

impl Area for Arguments {
    const NAME: &'static str = "arguments";
    const FOLDER: &'static str = "arguments";
    const PANICS: &'static str = "nothing_panics";
    const INVARIANTS: &'static [Invariant<Self>] = invariants::INVARIANTS;
    const MUTANTS: &'static [Mutant<Plant>] = mutants::MUTANTS;
    const OUTCOMES: &'static [&'static str] = &["valid", "deferred", "repaired", "unrepairable"];
    const MEANT: &'static [&'static str] =
        &["expect", "args", "args_recipe", "reason", "stage", "mentions", "canaries"];

    type Bias = Bias;
    type Case = Case;
    type Plant = Plant;
    type Workshop = Workshop;
    type Run<'a> = Run<'a>;
    type Expected = corpus::Regression;

    fn workshop(plant: Option<&Plant>) -> Workshop {
        plant.map_or_else(Workshop::new, |plant| Workshop::with(*plant))
    }

    fn elsewhere(remote: &Arc<Remote>) -> Option<Workshop> {
        remote.hello().judges_arguments().then(|| Workshop::elsewhere(remote))
    }

    fn fit(workshop: &Workshop, case: Case) -> Case {
        match workshop.remote() {
            Some(remote) => fit::fit(remote.hello(), case),
            None => case,
        }
    }

    fn bias(source: &mut dyn Source) -> Bias {
        Bias::swarm(source)
    }

    fn draw(source: &mut dyn Source, bias: &Bias) -> Case {
        Case::draw(source, bias)
    }

    fn run<'a>(workshop: &'a Workshop, case: &'a Case) -> Result<Run<'a>, String> {
        Ok(Run::new(case, workshop.bench_for(case)?))
    }

    fn seen(run: &Run<'_>) -> Seen {
        run.seen()
    }

    fn show(run: &Run<'_>) -> Vec<(&'static str, String)> {
        expect::show(run)
    }

    fn read(slug: &str, text: &str) -> Result<(Vec<Case>, corpus::Regression), String> {
        let file = corpus::parse_regression(slug, text).map_err(|error| error.to_string())?;
        Ok((Case::from_regression(&file)?, file))
    }

    fn miss(expected: &corpus::Regression, run: &Run<'_>) -> Option<String> {
        expect::miss(expected, &run.answer)
    }

    fn exempt(stored: &Case) -> &'static [&'static str] {
        // A file with limits of its own is about a limit; wide ones are no part of it.
        let apart = stored.limits != engine::Limits::DEFAULT;
        if apart { &["limits_bound_repair_only"] } else { &[] }
    }

    fn reachable() -> Vec<&'static str> {
        tables::reachable()
    }

    fn features() -> Vec<&'static str> {
        MALFORMATIONS.iter().map(|row| row.id).chain(case::plans()).collect()
    }

    fn stages<'r>(run: &'r Run<'_>) -> Vec<(&'static str, Stage<'r>)> {
        run.stages()
    }

    fn sections() -> Vec<Section> {
        tables::sections()
    }
}
