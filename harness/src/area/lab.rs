//! Areas of any type side by side: rows without their types, and the laboratory a campaign works in.

use std::fmt::{self, Debug};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::plan::{Plan, area_of};
use super::trial::{Trial, Wanted, stages, trial};
use super::{AREAS, Area, Mutant, Row};
use crate::campaign::{BATCH, Origin};
use crate::catalog::Section;
use crate::conform::Remote;
use crate::source::{Seeded, Source};
use crate::swarm::{Swarm, Swarmed};

/// An invariant without the type of its area.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// The area's name.
    pub area: &'static str,
    /// A clause that reads true.
    pub name: &'static str,
    /// The promise, as a sentence.
    pub says: &'static str,
    /// Planted bugs that it must catch.
    pub kills: &'static [&'static str],
}

/// A planted bug without the type of its area.
#[derive(Clone, Copy, Debug)]
pub struct Planted {
    /// The area's name.
    pub area: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What the altered engine does wrong.
    pub says: &'static str,
}

/// An [`Area`] without its types; every area is one.
pub trait AnyArea: Debug + Sync {
    /// As [`Area::NAME`].
    fn name(&self) -> &'static str;
    /// As [`Area::FOLDER`].
    fn folder(&self) -> &'static str;
    /// As [`Area::PANICS`].
    fn panics(&self) -> &'static str;
    /// As [`Area::OUTCOMES`].
    fn outcomes(&self) -> &'static [&'static str];
    /// As [`Area::INVARIANTS`].
    fn promises(&self) -> Vec<Promise>;
    /// As [`Area::MUTANTS`].
    fn mutants(&self) -> Vec<Planted>;
    /// As [`Area::reachable`].
    fn reachable(&self) -> Vec<&'static str>;
    /// As [`Area::features`].
    fn features(&self) -> Vec<&'static str>;
    /// As [`Area::sections`].
    fn sections(&self) -> Vec<Section>;
    /// The area with its engine, as it is or with the planted bug of this name if it is one of the area's.
    fn ready(&self, plant: Option<&str>) -> Box<dyn ReadyArea>;
    /// The area with an engine elsewhere; `None` if it cannot be asked of another engine.
    fn against(&self, remote: &Arc<Remote>) -> Option<Box<dyn ReadyArea>>;
}

impl<A: Area> AnyArea for A {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn folder(&self) -> &'static str {
        A::FOLDER
    }

    fn panics(&self) -> &'static str {
        A::PANICS
    }

    fn outcomes(&self) -> &'static [&'static str] {
        A::OUTCOMES
    }

    fn promises(&self) -> Vec<Promise> {
        let rows = A::INVARIANTS.iter();
        rows.map(|row| Promise { area: A::NAME, name: row.name, says: row.says, kills: row.kills })
            .collect()
    }

    fn mutants(&self) -> Vec<Planted> {
        let rows = A::MUTANTS.iter();
        rows.map(|row| Planted { area: A::NAME, name: row.name, says: row.says }).collect()
    }

    fn reachable(&self) -> Vec<&'static str> {
        A::reachable()
    }

    fn features(&self) -> Vec<&'static str> {
        A::features()
    }

    fn sections(&self) -> Vec<Section> {
        A::sections()
    }

    fn ready(&self, plant: Option<&str>) -> Box<dyn ReadyArea> {
        let wanted = |row: &&Mutant<A::Plant>| plant == Some(row.name);
        let plant = A::MUTANTS.iter().find(wanted).map(|row| &row.plant);
        Box::new(Ready::<A>::new(A::workshop(plant)))
    }

    fn against(&self, remote: &Arc<Remote>) -> Option<Box<dyn ReadyArea>> {
        Some(Box::new(Ready::<A>::new(A::elsewhere(remote)?)))
    }
}

/// An area with its engine, ready to try cases.
pub trait ReadyArea: Send + Sync {
    /// The area's name.
    fn name(&self) -> &'static str;

    /// As [`Area::MEANT`].
    fn meant(&self) -> &'static [&'static str];

    /// Draws a case from `choices` as its batch is, and judges it.
    fn draw(&self, choices: &mut dyn Source, batch: Batch, wanted: Wanted<'_>) -> Trial;

    /// Draws a case, and times the engine's stages on it.
    fn stages(&self, choices: &mut dyn Source, batch: Batch) -> Vec<(&'static str, Duration)>;

    /// Judges the cases of a regression file.
    ///
    /// # Errors
    ///
    /// As [`Area::read`].
    fn stored(&self, slug: &str, text: &str, wanted: Wanted<'_>) -> Result<Vec<Trial>, String>;
}

/// What the cases of one batch have in common.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where the area's bias is drawn from.
    pub bias: Seeded,
    /// Which rows of the generators' tables are off.
    pub swarm: Swarm,
}

impl Batch {
    /// The batch that the case of this origin belongs to.
    pub fn of(origin: Origin) -> Self {
        let number = origin.number / BATCH;
        let swarm = Swarm::draw(&mut Seeded::new(origin.seed ^ 0x5a3a, number));
        Self { bias: Seeded::new(origin.seed ^ 0xb1a5, number), swarm }
    }
}

struct Ready<A: Area> {
    workshop: A::Workshop,
    unknown: Vec<&'static str>,
}

impl<A: Area> Ready<A> {
    fn new(workshop: A::Workshop) -> Self {
        let unknown = A::unknown(&workshop);
        Self { workshop, unknown }
    }
}

impl<A: Area> ReadyArea for Ready<A> {
    fn name(&self) -> &'static str {
        A::NAME
    }

    fn meant(&self) -> &'static [&'static str] {
        A::MEANT
    }

    fn draw(&self, choices: &mut dyn Source, mut batch: Batch, wanted: Wanted<'_>) -> Trial {
        let began = Instant::now();
        let mut choices = Swarmed::new(choices, batch.swarm).without(&self.unknown);
        let case = A::draw(&mut choices, &A::bias(&mut batch.bias));
        let case = A::fit(&self.workshop, case);
        let draw = began.elapsed();
        let mut trial = trial::<A>(&self.workshop, case, wanted, None);
        trial.spent.draw = draw;
        if let Some(seen) = &mut trial.seen {
            seen.features.extend(choices.into_carried());
            seen.features.sort_unstable();
            seen.features.dedup();
        }
        trial
    }

    fn stages(&self, choices: &mut dyn Source, mut batch: Batch) -> Vec<(&'static str, Duration)> {
        let mut choices = Swarmed::new(choices, batch.swarm).without(&self.unknown);
        let case = A::draw(&mut choices, &A::bias(&mut batch.bias));
        stages::<A>(&self.workshop, &A::fit(&self.workshop, case))
    }

    fn stored(&self, slug: &str, text: &str, wanted: Wanted<'_>) -> Result<Vec<Trial>, String> {
        let (cases, expected) = A::read(slug, text)?;
        let trials = cases.into_iter();
        Ok(trials.map(|case| trial::<A>(&self.workshop, case, wanted, Some(&expected))).collect())
    }
}

/// The areas that are attacked, each with its engine, sound or with a planted bug.
pub struct Lab {
    rows: &'static [Row],
    ready: Vec<Box<dyn ReadyArea>>,
    plan: Plan,
}

impl Lab {
    /// The engine as it is, in every area.
    pub fn new() -> Self {
        Self::with(&[], None)
    }

    /// The areas of these names, or all if there are none; with the planted bug of a name.
    pub fn with(areas: &[&str], plant: Option<&str>) -> Self {
        Self::of(AREAS, areas, plant)
    }

    /// As [`Lab::with`], for another table.
    pub(crate) fn of(rows: &'static [Row], areas: &[&str], plant: Option<&str>) -> Self {
        let wanted = |area: &dyn AnyArea| areas.is_empty() || areas.contains(&area.name());
        let chosen = rows.iter().map(|row| row.area).filter(|area| wanted(*area));
        let ready = chosen.map(|area| area.ready(plant)).collect();
        Self { rows, ready, plan: Plan::new(rows, wanted) }
    }

    /// An engine elsewhere, in those areas of these names, or of all, that can be asked of it.
    pub fn against(areas: &[&str], remote: &Arc<Remote>) -> Self {
        let wanted = |area: &dyn AnyArea| areas.is_empty() || areas.contains(&area.name());
        let chosen = AREAS.iter().map(|row| row.area).filter(|area| wanted(*area));
        let ready: Vec<_> = chosen.filter_map(|area| area.against(remote)).collect();
        let names: Vec<&str> = ready.iter().map(|area| area.name()).collect();
        let plan = Plan::new(AREAS, |area| names.contains(&area.name()));
        Self { rows: AREAS, ready, plan }
    }

    /// The names of the areas that are attacked.
    pub fn areas(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.ready.iter().map(|area| area.name())
    }

    /// The number of the case at this place of a campaign; `None` if there is no area to attack.
    pub fn number(&self, index: u64) -> Option<u64> {
        self.plan.number(index)
    }

    /// The area of this name, if it is one of the lab's.
    pub fn area(&self, name: &str) -> Option<&dyn ReadyArea> {
        self.ready.iter().find(|area| area.name() == name).map(|area| &**area)
    }

    /// The area to which a case number belongs, if it is one of the lab's.
    pub fn owner(&self, number: u64) -> Option<&dyn ReadyArea> {
        self.area(area_of(self.rows, number).name())
    }

    /// Draws the case of this origin from `choices`, and judges it; `None` if its area is not here.
    ///
    /// Bias and swarm are those of the batch; the choices are the case's own, [`Origin::choices`], or a shrunk list.
    pub fn case(
        &self,
        origin: Origin,
        choices: &mut dyn Source,
        wanted: Wanted<'_>,
    ) -> Option<Trial> {
        Some(self.owner(origin.number)?.draw(choices, Batch::of(origin), wanted))
    }

    /// How long the engine's stages take on the case of this origin; see [`Area::stages`].
    pub fn stages(&self, origin: Origin) -> Vec<(&'static str, Duration)> {
        let owner = self.owner(origin.number);
        owner.map_or_else(Vec::new, |area| area.stages(&mut origin.choices(), Batch::of(origin)))
    }
}

impl Default for Lab {
    fn default() -> Self {
        Self::new()
    }
}

impl Debug for Lab {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.ready.iter().map(|area| area.name()).collect();
        f.debug_struct("Lab").field("areas", &names).finish_non_exhaustive()
    }
}

/// The promises of every area.
pub fn promises() -> Vec<Promise> {
    AREAS.iter().flat_map(|row| row.area.promises()).collect()
}

/// The promise of this name.
pub fn promise(name: &str) -> Option<Promise> {
    promises().into_iter().find(|row| row.name == name)
}

/// The planted bugs of every area.
pub fn mutants() -> Vec<Planted> {
    AREAS.iter().flat_map(|row| row.area.mutants()).collect()
}

/// The planted bug of this name.
pub fn mutant(name: &str) -> Option<Planted> {
    mutants().into_iter().find(|row| row.name == name)
}
