//! `pi-repair conform`: any engine that speaks the protocol, held to the invariants.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use harness::area::{self, Lab, Wanted};
use harness::campaign::{self, Origin, Settings};
use harness::conform::scorecard::{Broken, Row, Scorecard};
use harness::conform::{self, Remote, needs};

use super::out::{self, BAD, DIM, Failure, GOOD, HEAD, styled};
use super::verify::{Bar, area_name, number};

/// Hold another engine to the same promises as this one
///
/// COMMAND is a program that speaks the protocol of PROTOCOL.md on its standard streams, such as
/// one of the adapters in harness/adapters. It may hang, die, flood or speak nonsense: each is
/// counted, and it is started again. Prints a scorecard: each promise with how often it held, said
/// nothing or was broken, and for each broken one the smallest input that was found.
///
/// Status: 0 if everything held, 1 if a promise is broken, 2 if the engine cannot be run, 130
/// after Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many cases to generate
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// The seed, decimal or 0x…
    #[arg(long, default_value = "0x5eed", value_parser = number)]
    seed: u64,
    /// Run this one case, and tell all about it
    #[arg(long, value_name = "NUMBER", conflicts_with = "json")]
    case: Option<u64>,
    /// Attack only this area; may be repeated
    #[arg(long = "area", value_name = "NAME", value_parser = area_name)]
    areas: Vec<&'static str>,
    /// Hold only this promise, and end as soon as all that are named are broken; may be repeated
    #[arg(long = "promise", value_name = "NAME", value_parser = promise_name)]
    promises: Vec<&'static str>,
    /// Processes that run side by side, at most 64; 0 means one for each core
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=64))]
    threads: u16,
    /// How long an answer may take
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    timeout_ms: u64,
    /// Stop after so many seconds, whatever is left
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
    /// Failures after which the engine is asked no more
    #[arg(long, value_name = "COUNT", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    faults: u64,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Print a table for a document instead
    #[arg(long, conflicts_with_all = ["json", "case"])]
    markdown: bool,
    /// Print the promises with what they need, and the damage by id, and nothing else
    #[arg(long)]
    list: bool,
    /// The engine, with its arguments
    #[arg(last = true, required_unless_present = "list")]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair conform -- pi-repair serve
  pi-repair conform --cases 2000 -- node harness/adapters/pipeline.mjs ./my-engine.mjs
  pi-repair conform --timeout-ms 500 --json -- python3 harness/adapters/pypi_json_repair.py";

/// How long each finding may take to be made smaller.
const SHRINK_TIME_MAX: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.list {
        out::say(&needs::listing())?;
        return Ok(ExitCode::SUCCESS);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without the handler Ctrl-C ends this process alone, and the engine by the end of its input.
    let _ = ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        conform::end_all();
    });
    let remote = Arc::new(Remote::start(conform::Settings {
        command: args.command.clone(),
        timeout: Duration::from_millis(args.timeout_ms),
        faults_max: args.faults,
    })?);
    if let Some(name) = needs::unknown_claims(remote.hello()).first() {
        return Err(Failure(format!(
            "the engine claims `{name}`, which is no promise; docs/conform.md lists them"
        )));
    }
    let lab = Lab::against(&args.areas, &remote);
    if lab.areas().next().is_none() {
        return Err(Failure(
            "nothing can be asked of this engine: it offers none of repair, repair_text and treat"
                .to_owned(),
        ));
    }
    let only = held(args, &lab, &remote)?;
    if let Some(number) = args.case {
        return one(&lab, &remote, &only, Origin { seed: args.seed, number });
    }
    let card = campaign(args, &lab, (&remote, only), &stop);
    remote.close();
    if args.json {
        out::say_json(&card.to_json())?;
    } else if args.markdown {
        out::say(&card.to_markdown())?;
    } else {
        out::say(&render(&card, args))?;
    }
    let broken = card.broken().next().is_some();
    Ok(ExitCode::from(match (broken, stop.load(Ordering::Relaxed)) {
        (true, _) => 1,
        (false, true) => 130,
        (false, false) => 0,
    }))
}

/// Finds a promise.
fn promise_name(name: &str) -> Result<&'static str, String> {
    let found = area::promise(name).map(|promise| promise.name);
    found.ok_or_else(|| "there is no such promise; --list has them".to_owned())
}

/// The promises to hold against the engine.
fn held(args: &Args, lab: &Lab, remote: &Remote) -> Result<Vec<&'static str>, Failure> {
    let hello = remote.hello();
    if let Some((name, why)) =
        args.promises.iter().find_map(|name| Some((name, needs::exempt(hello, name)?)))
    {
        return Err(Failure(format!("`{name}` is not held against this engine: {why}")));
    }
    if !args.promises.is_empty() {
        return Ok(args.promises.clone());
    }
    let areas = lab.areas().filter_map(area::named);
    Ok(areas.flat_map(|area| needs::of_area(hello, area).0).collect())
}

fn campaign(
    args: &Args,
    lab: &Lab,
    (remote, only): (&Arc<Remote>, Vec<&'static str>),
    stop: &AtomicBool,
) -> Scorecard {
    let settings = Settings {
        cases: args.cases,
        seed: args.seed,
        threads: args.threads.into(),
        time_max: args.seconds.map(Duration::from_secs),
        until_broken: args.promises.clone(),
        only,
        shrink_max: 1_500,
        shrink_time_max: Some(SHRINK_TIME_MAX),
        ..Settings::default()
    };
    let bar = Bar::new(args.cases);
    let mut report = campaign::hunt(&settings, lab, &bar, stop);
    report.complete &= !remote.has_given_up();
    bar.finish();
    if stop.load(Ordering::Relaxed) {
        remote.close();
    } else {
        remote.forgive();
        campaign::make_small(&mut report, &settings, lab);
        remote.forgive();
    }
    Scorecard::of(&report, lab, remote)
}

/// One case, with everything that was said about it.
fn one(
    lab: &Lab,
    remote: &Remote,
    only: &[&'static str],
    origin: Origin,
) -> Result<ExitCode, Failure> {
    let wanted = Wanted { only, show: true };
    let trial = lab.case(origin, &mut origin.choices(), wanted);
    let trial = trial.ok_or_else(|| Failure("the case belongs to another area".to_owned()))?;
    let mut lines = vec![format!("{}  {}", styled(HEAD, "input"), trial.case.input())];
    lines.extend(trial.shown.iter().map(|(label, text)| format!("{label}  {text}")));
    if let Some(line) = remote.last_line() {
        lines.push(format!("{}  {line}", styled(DIM, "last line sent")));
    }
    let broken: Vec<String> =
        trial.broken().map(|(name, says)| format!("{}  {says}", styled(BAD, name))).collect();
    let good = broken.is_empty();
    lines.extend(broken);
    if good {
        lines.push(styled(GOOD, "nothing broken"));
    }
    out::say(&lines.join("\n"))?;
    Ok(ExitCode::from(u8::from(!good)))
}

fn render(card: &Scorecard, args: &Args) -> String {
    let hello = &card.hello;
    let mut lines = vec![styled(HEAD, format!("{} {}", hello.engine, hello.version))];
    lines.push(out::table(
        &["promise", "verdict", "held", "vacuous", "broken"],
        card.rows.iter().map(row),
    ));
    lines.extend(card.broken().map(|row| broken(row, args)));
    let outcomes: Vec<String> =
        card.outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    lines.push(format!(
        "Answered {} of {} cases: {}",
        card.answered,
        card.cases,
        outcomes.join(", ")
    ));
    let faults: Vec<String> =
        card.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    if !faults.is_empty() {
        lines.push(styled(
            BAD,
            format!("Failed to answer, and was started again: {}", faults.join(", ")),
        ));
    }
    let early = if card.complete { "" } else { ", stopped early" };
    lines.push(format!("seed {:#x}, digest {}{early}", card.seed, card.digest));
    lines.push(match card.broken().count() {
        0 => styled(GOOD, "everything held"),
        count => styled(BAD, format!("{count} of {} promises broken", asked(card))),
    });
    lines.join("\n")
}

fn asked(card: &Scorecard) -> usize {
    card.rows.iter().filter(|row| row.tally.is_ok()).count()
}

fn row(row: &Row) -> Vec<String> {
    let mut cells = vec![row.promise.to_owned(), row.verdict().to_owned()];
    match &row.tally {
        Ok(tally) => {
            cells.extend([tally.held, tally.vacuous, tally.broken].map(|count| count.to_string()));
        }
        Err(why) => {
            cells[1] = format!("{}: {why}", row.verdict());
            cells.extend(["-", "-", "-"].map(str::to_owned));
        }
    }
    cells
}

/// The most characters of a text that is printed; `--json` has all.
const SHOWN_MAX: usize = 3_000;

fn broken(row: &Row, args: &Args) -> String {
    let mut lines = vec![styled(BAD, row.promise), format!("  promise  {}", row.says)];
    let Some(found) = &row.found else { return lines.join("\n") };
    let clip = |text: &str| -> String {
        let mut shown: String = text.chars().take(SHOWN_MAX).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    };
    let Broken { says, input, shown, request, seed, case } = found;
    lines.push(format!("  broken   {}", clip(says)));
    lines.push(format!("  input    {}", clip(input)));
    lines.extend(shown.iter().map(|(label, text)| format!("  {label:<8} {}", clip(text))));
    lines.extend(request.iter().map(|line| format!("  sent     {}", styled(DIM, clip(line)))));
    let command = args.command.join(" ");
    lines.push(format!(
        "  again    pi-repair conform --seed {seed:#x} --case {case} -- {command}\n"
    ));
    lines.join("\n")
}
