//! `pi-repair replay`: one stored or generated case, held to every invariant again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::area::plan::area_of;
use harness::area::{self, AREAS, AnyArea, Lab, Planted, Trial, Wanted};
use harness::campaign::Origin;
use harness::target::{self, TARGETS, Target};

use super::files;
use super::out::{self, BAD, Failure, GOOD, HEAD, styled};
use super::verify::{area_name, mutant, number};

/// Hold one case to every invariant again
///
/// Either a regression file, the seed and number that a campaign printed, or an input of a fuzzer. Prints what was sent,
/// the outcome, each invariant that is broken and, for a file, whether the outcome is the expected
/// one; the status is 1 if something is not as it must be.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "pi-repair replay FILE\n       pi-repair replay --seed SEED --case NUMBER\n       pi-repair replay --target NAME FILE",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct Args {
    /// A regression file, as in corpus/data/regressions/, or the input of a fuzz target
    #[arg(required_unless_present_all = ["seed", "case"], conflicts_with_all = ["seed", "case"])]
    file: Option<PathBuf>,
    /// The file's area, where its folder does not say
    #[arg(long, value_name = "NAME", value_parser = area_name, conflicts_with_all = ["seed", "case"])]
    area: Option<&'static str>,
    /// The campaign's seed, decimal or 0x…
    #[arg(long, value_parser = number, requires = "case")]
    seed: Option<u64>,
    /// The case's number
    #[arg(long, requires = "seed")]
    case: Option<u64>,
    /// The fuzz target that FILE is an input of
    #[arg(long, value_name = "NAME", value_parser = target, conflicts_with_all = ["seed", "case", "area", "plant"])]
    target: Option<&'static Target>,
    /// Run an engine with this planted bug
    #[arg(long, hide = true, value_parser = mutant)]
    plant: Option<Planted>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair replay corpus/data/regressions/arguments/duplicate-keys-last-wins.toml
  pi-repair replay --seed 0x5eed --case 4711
  pi-repair replay --target text fuzz/artifacts/text/crash-0a1b2c";

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let plant = args.plant.map(|mutant| mutant.name);
    let trials = match (&args.file, args.seed, args.case) {
        (Some(file), ..) if args.target.is_some() => fuzzed(file, args.target)?,
        (Some(file), _, _) => stored(file, args.area, plant)?,
        (None, Some(seed), Some(number)) => generated(Origin { seed, number }, plant),
        _ => return Err(Failure("give a file, or --seed and --case".to_owned())),
    };
    let mut good = true;
    for trial in &trials {
        good &= trial.broken().next().is_none() && trial.miss.is_none();
        out::say(&render(trial))?;
    }
    Ok(ExitCode::from(u8::from(!good)))
}

/// Everything is held, and what happened is written down.
const ALL: Wanted<'static> = Wanted { only: &[], show: true };

/// The case that a fuzz target makes of a file's bytes; none if it makes none.
fn fuzzed(path: &Path, target: Option<&Target>) -> Result<Vec<Trial>, Failure> {
    let data =
        std::fs::read(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    Ok(target.and_then(|target| (target.run)(&data, ALL)).into_iter().collect())
}

fn target(name: &str) -> Result<&'static Target, String> {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    target::named(name).ok_or_else(|| format!("there are {}", names.join(", ")))
}

fn generated(origin: Origin, plant: Option<&str>) -> Vec<Trial> {
    let area = area_of(AREAS, origin.number).name();
    let trial = Lab::with(&[area], plant).case(origin, &mut origin.choices(), ALL);
    trial.into_iter().collect()
}

/// The cases of a regression file.
fn stored(
    path: &Path,
    area: Option<&'static str>,
    plant: Option<&str>,
) -> Result<Vec<Trial>, Failure> {
    let wrong = |error: String| Failure(format!("{}: {error}", path.display()));
    let text = files::read(path)?;
    let name = area_of_file(path, area)?;
    let slug = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let lab = Lab::with(&[name], plant);
    let ready = lab.area(name).ok_or_else(|| wrong(format!("there is no area `{name}`")))?;
    ready.stored(&slug.unwrap_or_default(), &text, ALL).map_err(wrong)
}

/// The area of a regression file: the one that is given, or that of the folder it lies in.
pub(super) fn area_of_file(
    path: &Path,
    given: Option<&'static str>,
) -> Result<&'static str, Failure> {
    let absolute = std::path::absolute(path)?;
    let folder = absolute.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    given.or_else(|| folder.and_then(area::named).map(AnyArea::name)).ok_or_else(|| {
        Failure(format!("{}: its folder is no area's; say which with --area", path.display()))
    })
}

fn render(trial: &Trial) -> String {
    let sent: String = trial.case.input().chars().take(4_000).collect();
    let line = |label: &str, text: &str| format!("{} {text}", styled(HEAD, format!("{label:<8}")));
    let mut lines = vec![line("sent", &sent)];
    lines.extend(trial.shown.iter().map(|(label, text)| line(label, text)));
    for (name, says) in trial.broken() {
        let promise = area::promise(name).map_or("", |row| row.says);
        lines.push(format!("{}\n  {promise}\n  {says}", styled(BAD, name)));
    }
    lines.extend(
        trial.miss.iter().map(|says| format!("{}\n  {says}", styled(BAD, "unexpected outcome"))),
    );
    if trial.broken().next().is_none() && trial.miss.is_none() {
        lines.push(styled(GOOD, "every invariant holds"));
    }
    lines.join("\n")
}
