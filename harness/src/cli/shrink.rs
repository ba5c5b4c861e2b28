//! `pi-repair shrink`: the smallest case that still breaks the same promise.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use harness::area::plan::area_of;
use harness::area::{AREAS, Lab, Planted, Wanted, promises};
use harness::campaign::prune::{Stored, broken_by, prune};
use harness::campaign::{Finding, Origin, Settings, shrunk};
use harness::source::{Recording, Replay, Source};
use serde::Deserialize;

use super::files;
use super::out::{self, BAD, Failure, styled};
use super::replay::area_of_file;
use super::verify::{area_name, mutant, number};

/// Find the smallest case that still breaks the same promise
///
/// Takes the seed and number of a case, a finding as `verify --json` lists them, or a regression
/// file. Prints the regression file on standard output, what it breaks on standard error. A case
/// that breaks nothing cannot be made smaller: status 2.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "pi-repair shrink FILE\n       pi-repair shrink --seed SEED --case NUMBER",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct Args {
    /// A regression file (TOML), or a finding with its choices (JSON)
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
    /// The promise that has to stay broken, where there are several
    #[arg(long, value_name = "NAME", value_parser = promise)]
    promise: Option<&'static str>,
    /// How many smaller cases to try
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Run an engine with this planted bug
    #[arg(long, hide = true, value_parser = mutant)]
    plant: Option<Planted>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair shrink --seed 0x5eed --case 4711
  pi-repair shrink corpus/data/regressions/arguments/duplicate-keys-last-wins.toml
  pi-repair verify --json | jq '.findings[0]' > finding.json; pi-repair shrink finding.json";

fn promise(name: &str) -> Result<&'static str, String> {
    let found = promises().into_iter().find(|row| row.name == name);
    found.map(|row| row.name).ok_or_else(|| "docs/catalog.md lists them all".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let small = match (&args.file, args.seed, args.case) {
        (Some(file), _, _) if file.extension().is_some_and(|end| end == "json") => {
            let text = files::read(file)?;
            let kept: Kept = serde_json::from_str(&text).map_err(|error| {
                Failure(format!(
                    "{}: {error}; give a finding: `origin` with `seed` and `number`, and `choices`",
                    file.display()
                ))
            })?;
            drawn(args, kept.origin, &mut Replay::new(kept.choices))?
        }
        (Some(file), _, _) => stored(args, file)?,
        (None, Some(seed), Some(number)) => {
            let origin = Origin { seed, number };
            drawn(args, origin, &mut origin.choices())?
        }
        _ => return Err(Failure("give a file, or --seed and --case".to_owned())),
    };
    out::remark(&format!(
        "{}\n  broken   {}\n  input    {}",
        styled(BAD, small.invariant),
        small.says,
        small.input.chars().take(2_000).collect::<String>()
    ));
    out::say(&small.file)?;
    Ok(ExitCode::SUCCESS)
}

/// What is read of a finding; the rest of it can be made again.
#[derive(Deserialize)]
struct Kept {
    origin: Origin,
    choices: Vec<u32>,
}

/// A case made smaller by its choices.
fn drawn(args: &Args, origin: Origin, choices: &mut dyn Source) -> Result<Stored, Failure> {
    let area = area_of(AREAS, origin.number).name();
    let lab = Lab::with(&[area], args.plant.map(|mutant| mutant.name));
    let mut choices = Recording::new(choices);
    let trial = lab.case(origin, &mut choices, Wanted::default());
    let trial = trial.ok_or_else(|| Failure(format!("there is no area `{area}`")))?;
    let wanted = |(name, _): &(&'static str, &str)| args.promise.is_none_or(|it| it == *name);
    let (name, says) = trial.broken().find(wanted).ok_or_else(|| intact(args.promise))?;
    let finding = Finding::new(name, says, origin, &*trial.case, choices.choices());
    let tries = usize::try_from(args.tries).unwrap_or(usize::MAX);
    let settings = Settings { shrink_max: tries, ..Settings::default() };
    let Finding { invariant, says, input, regression, .. } = shrunk(finding, &lab, &settings);
    Ok(Stored { invariant, says, input, file: regression })
}

/// A case made smaller by the parts of its file.
fn stored(args: &Args, path: &Path) -> Result<Stored, Failure> {
    let wrong = |error: String| Failure(format!("{}: {error}", path.display()));
    let text = files::read(path)?;
    let name = area_of_file(path, args.area)?;
    let lab = Lab::with(&[name], args.plant.map(|mutant| mutant.name));
    let ready = lab.area(name).ok_or_else(|| wrong(format!("there is no area `{name}`")))?;
    let slug = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let broken = broken_by(ready, &slug, &text).map_err(wrong)?;
    let wanted = |stored: &Stored| args.promise.is_none_or(|it| it == stored.invariant);
    let first = broken.into_iter().find(wanted).ok_or_else(|| intact(args.promise))?;
    let tries = usize::try_from(args.tries).unwrap_or(usize::MAX);
    if let Some(small) = prune(ready, &slug, &first, tries) {
        return Ok(small);
    }
    let apart = || {
        wrong(format!(
            "{} is broken only for what the file says of this very input; shrink the case by --seed and --case",
            first.invariant
        ))
    };
    let origin = origin_of(&files::read(path)?).ok_or_else(apart)?;
    drawn(args, origin, &mut origin.choices())
        .ok()
        .filter(|small| small.invariant == first.invariant)
        .ok_or_else(apart)
}

/// The seed and number that a campaign wrote into the file.
fn origin_of(text: &str) -> Option<Origin> {
    let file: toml::Table = text.parse().ok()?;
    let (seed, case) = file.get("found")?.as_str()?.strip_prefix("seed ")?.split_once(", case ")?;
    Some(Origin { seed: number(seed).ok()?, number: case.parse().ok()? })
}

fn intact(promise: Option<&str>) -> Failure {
    let what = promise.map_or_else(|| "no promise".to_owned(), |name| format!("not {name}"));
    Failure(format!("the case breaks {what}, so there is nothing to keep while it is made smaller"))
}
