//! Generated scripts, run by the scripted loop and by the real pi: where do the two part?

use std::{
    collections::BTreeMap,
    fs::OpenOptions,
    io::{BufRead as _, BufReader, Lines, Write as _},
    process::{ChildStdin, ChildStdout, Stdio},
};

use corpus::{Release, Script};
use harness::{
    sim::{
        self, compare,
        generate::{self, Flavour},
    },
    source::{Recording, Replay, Seeded, shrink},
};
use tempfile::TempDir;

use crate::child::{self, Watched};
use crate::host::{self, HostError, Outcome, Started};
use crate::install::Installed;

/// Scripts one process of Node runs before it is replaced.
const BATCH: usize = 250;
/// Attempts at making one difference smaller.
const TRIES: usize = 250;
/// How often a script is run again on which they part, until they do not.
const AGAIN: usize = 4;
/// Differences that are made smaller; more are usually the same ones again.
const SHRUNK: usize = 6;

/// What is explored.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Seeds the choices.
    pub seed: u64,
    /// The first case.
    pub first: u64,
    /// How many cases.
    pub cases: u64,
}

/// One script on which the two part.
#[derive(Clone, Debug)]
pub struct Parting {
    /// Number of the case.
    pub case: u64,
    /// The script, made as small as the search could.
    pub script: Script,
    /// Where they part: first what the scripted loop says, then what pi says.
    pub difference: String,
}

/// What came of exploring one release.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Scripts both ran.
    pub compared: usize,
    /// Why scripts cannot be played, and how many.
    pub skipped: BTreeMap<String, usize>,
    /// Scripts on which they parted, and agreed when pi ran them again: the machine was too slow for their few
    /// milliseconds.
    pub late: usize,
    /// Scripts on which they part every time; all are counted, the first few are made small.
    pub partings: Vec<Parting>,
}

struct Case {
    number: u64,
    choices: Vec<u32>,
    script: Script,
}

/// Explores one release. Where the user wants an end, what was compared until then comes back.
///
/// # Errors
///
/// Node or pi does not start, or ends early.
pub fn explore(
    pi: &Installed,
    plan: Plan,
    progress: &mut dyn FnMut(&str),
) -> Result<Explored, HostError> {
    let mut explored = Explored::default();
    let mut parted = Vec::new();
    let mut numbers = plan.first..plan.first.saturating_add(plan.cases);
    while !numbers.is_empty() && !child::stopped() {
        let mut batch = Vec::new();
        for number in numbers.by_ref().take(BATCH).take_while(|_| !child::stopped()) {
            match case(pi.release, plan.seed, number) {
                Ok(case) => batch.push(case),
                Err(why) => {
                    *explored.skipped.entry(why).or_default() += 1;
                    progress("skipped");
                }
            }
        }
        let scripts: Vec<&Script> = batch.iter().map(|case| &case.script).collect();
        let outcomes = host::run(pi, &scripts, progress)?;
        explored.compared += outcomes.len();
        for (case, outcome) in batch.into_iter().zip(&outcomes) {
            if let Some(difference) = parting(pi.release, &case.script, outcome) {
                parted.push((case, difference));
            }
        }
    }
    if child::stopped() || parted.is_empty() {
        explored.partings.extend(parted.into_iter().map(|(case, said)| case.parting(said)));
        return Ok(explored);
    }
    let mut asking = Asking::start(pi)?;
    for (case, difference) in parted {
        if asking.agrees(&case) {
            explored.late += 1;
            continue;
        }
        let few = explored.partings.len() < SHRUNK;
        let parting =
            if few { asking.smaller(&case, difference) } else { case.parting(difference) };
        explored.partings.push(parting);
    }
    asking.stop();
    Ok(explored)
}

impl Case {
    /// The two part on the whole script.
    fn parting(&self, difference: String) -> Parting {
        Parting { case: self.number, script: self.script.clone(), difference }
    }
}

/// The generated script of a case, or why the loop here cannot play it to its end.
fn case(release: Release, seed: u64, number: u64) -> Result<Case, String> {
    let mut source = Recording::new(Seeded::new(seed, number));
    let script = generate::script(&mut source, &format!("case-{number}"), flavour(number))
        .map_err(|error| error.to_string())?;
    sim::play(&script, release).map_err(|sim::Unplayable(why)| why)?;
    Ok(Case { number, choices: source.into_choices(), script })
}

fn flavour(number: u64) -> Flavour {
    if number.is_multiple_of(5) { Flavour::WellFormed } else { Flavour::Hostile }
}

/// Where the two part; a script that pi cannot run but the loop can is a parting too.
fn parting(release: Release, script: &Script, outcome: &Outcome) -> Option<String> {
    let played = sim::play(script, release).ok()?;
    match outcome {
        Ok(trace) => compare(&played, trace).map(|difference| difference.to_string()),
        Err(error) => Some(format!("pi could not run it: {error}")),
    }
}

/// A process that is asked for one script after another.
struct Asking {
    release: Release,
    child: Watched,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
}

impl Asking {
    fn start(pi: &Installed) -> Result<Self, HostError> {
        // Nobody reads what pi complains of here; the batch before it had its say.
        let nowhere = OpenOptions::new().write(true).open("/dev/null");
        let complaints = nowhere.map_or_else(|_| Stdio::inherit(), Stdio::from);
        let Started { mut child, folder } = host::start_with(pi, complaints)?;
        let missing = || HostError::new("Node has no streams");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let mut lines = BufReader::new(output).lines();
        let _greeting = lines.next().transpose()?;
        let child = Watched::new(child, host::SILENT_MAX);
        Ok(Self { release: pi.release, child, input, lines, folder })
    }

    fn ask(&mut self, script: &Script) -> Option<Outcome> {
        let text = serde_json::to_string(script).ok()?;
        writeln!(self.input, "{text}").ok()?;
        self.input.flush().ok()?;
        let line = self.lines.next()?.ok()?;
        self.child.hear();
        Some(host::outcome(&line))
    }

    /// Whether they do not part every time.
    fn agrees(&mut self, case: &Case) -> bool {
        (0..AGAIN).any(|_| {
            let outcome = self.ask(&case.script).filter(|_| !child::stopped());
            outcome.is_some_and(|it| parting(self.release, &case.script, &it).is_none())
        })
    }

    /// The same parting on a smaller script.
    fn smaller(&mut self, case: &Case, difference: String) -> Parting {
        let release = self.release;
        let make = |choices: &[u32]| {
            let mut source = Replay::new(choices.to_vec());
            generate::script(&mut source, "smaller", flavour(case.number)).ok()
        };
        let mut parts = |choices: &[u32]| {
            let script = make(choices).filter(|_| !child::stopped())?;
            sim::play(&script, release).ok()?;
            let outcome = self.ask(&script)?;
            parting(release, &script, &outcome)
        };
        let small = shrink(&case.choices, |choices| parts(choices).is_some(), TRIES);
        let again = parts(&small);
        match (make(&small), again) {
            (Some(script), Some(difference)) => Parting { case: case.number, script, difference },
            _ => case.parting(difference),
        }
    }

    fn stop(self) {
        let Self { child, input, folder, .. } = self;
        drop(input);
        // It ends when its input does; a process that is gone already is no failure.
        let _ = child.wait();
        drop(folder);
    }
}
