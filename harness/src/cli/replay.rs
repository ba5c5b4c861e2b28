//! `pi-repair replay`: one stored or generated call, held to every invariant again.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use corpus::Regression;
use engine::{Limits, same_value};
use harness::campaign::{bias_of, judge};
use harness::case::Case;
use harness::invariants::{INVARIANTS, Invariant, Verdict};
use harness::mutants::Mutant;
use harness::run::Answer;
use harness::source::Seeded;

use super::files;
use super::out::{self, BAD, DIM, Failure, GOOD, HEAD, styled};
use super::verify::{mutant, number, workshop};

/// Hold one call to every invariant again
///
/// Either a regression file, or the seed and number that a campaign printed. Prints what was sent,
/// the outcome, each invariant that is broken and, for a file, whether the outcome is the expected
/// one; the status is 1 if something is not as it must be.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "pi-repair replay FILE\n       pi-repair replay --seed SEED --case NUMBER",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct Args {
    /// A regression file, as in corpus/data/regressions/
    #[arg(required_unless_present_all = ["seed", "case"], conflicts_with_all = ["seed", "case"])]
    file: Option<PathBuf>,
    /// The campaign's seed, decimal or 0x…
    #[arg(long, value_parser = number, requires = "case")]
    seed: Option<u64>,
    /// The case's number
    #[arg(long, requires = "seed")]
    case: Option<u64>,
    /// Run an engine with this planted bug
    #[arg(long, hide = true, value_parser = mutant)]
    plant: Option<&'static Mutant>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair replay corpus/data/regressions/arguments/duplicate-keys-last-wins.toml
  pi-repair replay --seed 0x5eed --case 4711";

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let stored = args.file.as_deref().map(stored).transpose()?;
    let cases = match (&stored, args.seed, args.case) {
        (Some((cases, _)), _, _) => cases.clone(),
        (None, Some(seed), Some(case)) => {
            vec![Case::draw(&mut Seeded::new(seed, case), &bias_of(seed, case))]
        }
        _ => return Err(Failure("give a file, or --seed and --case".to_owned())),
    };
    let workshop = workshop(args.plant);
    let mut good = true;
    for case in &cases {
        // A file with limits of its own is about a limit; wide ones are no part of it.
        let apart = stored.is_some() && case.limits != Limits::DEFAULT;
        let kept = |row: &&Invariant| !(apart && row.name == "limits_bound_repair_only");
        let rows: Vec<&Invariant> = INVARIANTS.iter().filter(kept).collect();
        let judged = judge(&workshop, case, &rows);
        let mut wrong: Vec<(&str, &str)> = judged
            .verdicts
            .iter()
            .filter_map(|(name, verdict)| match verdict {
                Verdict::Broken(says) => Some((*name, says.as_str())),
                _ => None,
            })
            .collect();
        let other = match (&stored, &judged.answer) {
            (Some((_, regression)), Some(answer)) => unexpected(regression, answer),
            _ => None,
        };
        wrong.extend(other.iter().map(|says| ("unexpected outcome", says.as_str())));
        good &= wrong.is_empty();
        out::say(&render(case, judged.answer.as_ref(), &wrong))?;
    }
    Ok(ExitCode::from(u8::from(!good)))
}

/// The cases of a regression file, and the file.
fn stored(path: &Path) -> Result<(Vec<Case>, Regression), Failure> {
    let wrong = |error: String| Failure(format!("{}: {error}", path.display()));
    let slug = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let regression = corpus::parse_regression(&slug.unwrap_or_default(), &files::read(path)?)
        .map_err(|error| wrong(error.to_string()))?;
    let cases = Case::from_regression(&regression).map_err(wrong)?;
    Ok((cases, regression))
}

/// How the outcome differs from what the file expects, if it does.
fn unexpected(regression: &Regression, answer: &Answer) -> Option<String> {
    let expected: Vec<String> =
        regression.expect.iter().map(|row| format!("{row:?}").to_lowercase()).collect();
    let got = match answer.name() {
        "refused" => "unrepairable",
        name => name,
    };
    if !expected.is_empty() && !expected.iter().any(|name| name == got) {
        return Some(format!("expected {}, got {got}", expected.join(" or ")));
    }
    let args = answer.args().filter(|_| got == "repaired" && !regression.args.is_empty());
    if args.is_some_and(|args| !regression.args.iter().any(|right| same_value(right, args))) {
        return Some("repaired into other arguments than the file expects".to_owned());
    }
    let refusal = answer.refusal()?;
    let reason = regression.reason.as_deref().filter(|reason| *reason != refusal.reason.id());
    if let Some(reason) = reason {
        return Some(format!("expected the reason {reason}, got {}", refusal.reason.id()));
    }
    let message = refusal.message();
    let missing = regression.mentions.iter().find(|word| !message.contains(word.as_str()));
    missing.map(|word| format!("the refusal does not mention `{word}`"))
}

fn render(case: &Case, answer: Option<&Answer>, wrong: &[(&str, &str)]) -> String {
    let call = &case.call;
    let sent: String = call.as_text().chars().take(4_000).collect();
    let or_none = |name: Option<&str>| name.unwrap_or("none").to_owned();
    let mut lines = vec![
        format!("{} {}", styled(HEAD, "tool    "), call.name),
        format!("{} {sent}", styled(HEAD, "sent    ")),
        format!("{} {}", styled(HEAD, "damage  "), call.applied.join(", ")),
        styled(
            DIM,
            format!(
                "model {}, provider {}, policy {}, stop reason {}, host {}",
                or_none(call.model.as_deref()),
                or_none(call.provider.as_deref()),
                case.policy,
                case.stop_reason,
                or_none(case.host.map(engine::host::HostProfile::name))
            ),
        ),
    ];
    if let Some(answer) = answer {
        lines.push(format!("{} {}", styled(HEAD, "outcome "), answer.name()));
        if let Some(args) = answer.args() {
            lines.push(format!("{} {args}", styled(HEAD, "args    ")));
        }
        let changes = answer.changes().iter();
        lines.extend(
            changes.map(|change| format!("  {} at {}", change.rule, change.pointer.readable())),
        );
        lines.extend(answer.refusal().map(engine::Refusal::message));
    }
    for (name, says) in wrong {
        let promise = harness::invariants::named(name).map_or("", |row| row.says);
        lines.push(format!("{}\n  {promise}\n  {says}", styled(BAD, name)));
    }
    if wrong.is_empty() {
        lines.push(styled(GOOD, "every invariant holds"));
    }
    lines.join("\n")
}
