//! One case run and judged, whatever its area.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::{Area, Invariant, Sample, Stage, Verdict};

/// What a campaign counts of one run.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The outcome's name; one of [`Area::OUTCOMES`].
    pub outcome: &'static str,
    /// Ids that were reached, of [`Area::reachable`]; once for each time.
    pub reached: Vec<&'static str>,
    /// What the case carries, of [`Area::features`]; what the draw said it carried is added.
    pub features: Vec<&'static str>,
    /// Over everything the engine answered; see [`Seen::fold`].
    pub digest: Digest,
}

impl Seen {
    /// A run with this outcome.
    pub fn new(outcome: &'static str) -> Self {
        let mut seen = Self { outcome, ..Self::default() };
        seen.fold(outcome.as_bytes());
        seen
    }

    /// Counts an id as reached, and folds it into the digest.
    pub fn reach(&mut self, id: &'static str) {
        self.reached.push(id);
        self.fold(id.as_bytes());
    }

    /// Folds a part of the answer into the digest.
    pub fn fold(&mut self, bytes: &[u8]) {
        self.digest.fold(bytes);
    }
}

/// FNV-1a, 64 bit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Digest(u64);

impl Digest {
    /// Folds bytes in.
    pub fn fold(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The digest that reads so.
    pub fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().map(Self)
    }

    /// Folds another digest in.
    pub fn join(&mut self, other: Self) {
        self.fold(&other.0.to_le_bytes());
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What ends a run early from wherever the engine was asked, as a panic of our own engine would.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ended {
    /// The engine cannot be asked this; the case says nothing about it.
    Skipped,
    /// The engine failed to answer, and how.
    Failed(String),
}

impl Ended {
    /// Ends the run. Nothing is printed, and no backtrace is taken.
    pub fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// What is asked of a trial.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'w> {
    /// Names of the promises to hold, of any area; all if empty.
    pub only: &'w [&'static str],
    /// Whether to write down what happened; see [`Trial::shown`].
    pub show: bool,
}

impl Wanted<'_> {
    fn rows<A: Area>(&self, exempt: &[&str]) -> Vec<&'static Invariant<A>> {
        let wanted = |row: &&Invariant<A>| {
            (self.only.is_empty() || self.only.contains(&row.name)) && !exempt.contains(&row.name)
        };
        A::INVARIANTS.iter().filter(wanted).collect()
    }
}

/// How long one case took. No verdict and no digest depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Making the case.
    pub draw: Duration,
    /// Setting it up and asking the engine.
    pub answer: Duration,
    /// Holding the promises against the answer, which asks the engine many times more.
    pub judge: Duration,
}

/// One case with its verdicts.
#[derive(Debug)]
pub struct Trial {
    /// The case.
    pub case: Box<dyn Sample>,
    /// Each promise's name with its verdict, in the order of the rows.
    pub verdicts: Vec<(&'static str, Verdict)>,
    /// What was counted; `None` if a panic kept it back.
    pub seen: Option<Seen>,
    /// How the outcome differs from what its file wants.
    pub miss: Option<String>,
    /// What `replay` prints, by label; empty unless it was asked for.
    pub shown: Vec<(&'static str, String)>,
    /// How long it took.
    pub spent: Spent,
}

impl Trial {
    /// The broken promises, each with how it was broken.
    pub fn broken(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.verdicts.iter().filter_map(|(name, verdict)| match verdict {
            Verdict::Broken(says) => Some((*name, says.as_str())),
            _ => None,
        })
    }
}

/// What a trial gives if nothing panics.
#[derive(Default)]
struct Judged {
    verdicts: Vec<(&'static str, Verdict)>,
    seen: Option<Seen>,
    miss: Option<String>,
    shown: Vec<(&'static str, String)>,
    spent: Spent,
}

/// Runs a case and holds the wanted promises against it. A panic breaks [`Area::PANICS`] and leaves the rest vacuous.
///
/// With `expected` the case comes from a file.
pub(crate) fn trial<A: Area>(
    workshop: &A::Workshop,
    case: A::Case,
    wanted: Wanted<'_>,
    expected: Option<&A::Expected>,
) -> Trial {
    let exempt = expected.map_or(&[] as &[_], |_| A::exempt(&case));
    let rows = wanted.rows::<A>(exempt);
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let began = Instant::now();
        let run = match A::run(workshop, &case) {
            Ok(run) => run,
            Err(error) => {
                return failed::<A>(&rows, &format!("the case cannot be set up: {error}"));
            }
        };
        let answer = began.elapsed();
        let verdicts = rows.iter().map(|row| (row.name, (row.check)(&run))).collect();
        let judge = began.elapsed().saturating_sub(answer);
        Judged {
            verdicts,
            seen: Some(A::seen(&run)),
            miss: expected.and_then(|expected| A::miss(expected, &run)),
            shown: if wanted.show { A::show(&run) } else { Vec::new() },
            spent: Spent { answer, judge, ..Spent::default() },
        }
    }));
    let judged = judged.unwrap_or_else(|panic| match panic.downcast_ref::<Ended>() {
        Some(Ended::Skipped) => skipped::<A>(&rows),
        Some(Ended::Failed(says)) => failed::<A>(&rows, says),
        None => failed::<A>(&rows, &format!("the engine panicked: {}", message(&*panic))),
    });
    let Judged { verdicts, seen, miss, shown, spent } = judged;
    Trial { case: Box::new(case), verdicts, seen, miss, shown, spent }
}

/// Times the engine's stages on a case, each the fastest of three; nothing if it cannot be set up or panics.
pub(super) fn stages<A: Area>(
    workshop: &A::Workshop,
    case: &A::Case,
) -> Vec<(&'static str, Duration)> {
    let timed = catch_unwind(AssertUnwindSafe(|| {
        let run = A::run(workshop, case).ok()?;
        Some(A::stages(&run).iter().map(|(name, stage)| (*name, fastest(stage))).collect())
    }));
    timed.ok().flatten().unwrap_or_default()
}

fn fastest(stage: &Stage<'_>) -> Duration {
    let once = || {
        let began = Instant::now();
        stage();
        began.elapsed()
    };
    let first = once();
    first.min(once()).min(once())
}

/// Nothing to judge; what went wrong breaks the promise that nothing does.
fn failed<A: Area>(rows: &[&Invariant<A>], says: &str) -> Judged {
    let verdict = |row: &&Invariant<A>| match row.name {
        name if name == A::PANICS => (name, Verdict::Broken(says.to_owned())),
        name => (name, Verdict::Vacuous),
    };
    Judged { verdicts: rows.iter().map(verdict).collect(), ..Judged::default() }
}

/// Nothing to judge, and nothing wrong.
fn skipped<A: Area>(rows: &[&Invariant<A>]) -> Judged {
    let verdicts = rows.iter().map(|row| (row.name, Verdict::Vacuous)).collect();
    Judged { verdicts, ..Judged::default() }
}

/// The words of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without words")
}
