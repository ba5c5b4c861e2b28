//! The engine as it is, made once for each target.

use std::sync::OnceLock;

use super::bytes::{Bytes, Written};
use crate::area::plan::Plan;
use crate::area::{AREAS, Area, Trial, Wanted, trial};
use crate::campaign::{BATCH, Origin};
use crate::source::Seeded;

/// An area's workshop, made when it is first asked for.
pub(super) struct Shop<A: Area> {
    workshop: OnceLock<A::Workshop>,
    make: fn() -> A::Workshop,
}

impl<A: Area> Shop<A> {
    /// The engine as the campaign attacks it.
    pub(super) const fn new() -> Self {
        Self::made(|| A::workshop(None))
    }

    /// The engine in another workshop.
    pub(super) const fn made(make: fn() -> A::Workshop) -> Self {
        Self { workshop: OnceLock::new(), make }
    }

    /// The workshop.
    pub(super) fn open(&self) -> &A::Workshop {
        self.workshop.get_or_init(self.make)
    }

    /// Holds promises against a case.
    pub(super) fn judge(&self, case: A::Case, wanted: Wanted<'_>) -> Trial {
        trial::<A>(self.open(), case, wanted, None)
    }

    /// Draws a case as the campaign does, its bias first, and holds promises against it.
    pub(super) fn drawn(&self, data: &[u8], wanted: Wanted<'_>) -> Trial {
        let mut source = Bytes::new(data);
        let bias = A::bias(&mut source);
        self.judge(A::draw(&mut source, &bias), wanted)
    }
}

/// The seed of the campaign whose cases are seeds.
const SEED: u64 = 0xf0_22;

/// The first cases of a campaign on one area, as bytes.
pub(super) fn drawn_seeds<A: Area>(count: u64) -> Vec<Vec<u8>> {
    let plan = Plan::new(AREAS, |area| area.name() == A::NAME);
    let numbers = (0..count).filter_map(|index| plan.number(index * 7));
    numbers.map(|number| drawn_seed::<A>(Origin { seed: SEED, number })).collect()
}

fn drawn_seed<A: Area>(origin: Origin) -> Vec<u8> {
    let mut bias = Written::new(Seeded::new(origin.seed ^ 0xb1a5, origin.number / BATCH));
    let swarm = A::bias(&mut bias);
    let mut choices = Written::new(origin.choices());
    A::draw(&mut choices, &swarm);
    [bias.into_whole_bytes(), choices.into_bytes()].concat()
}
