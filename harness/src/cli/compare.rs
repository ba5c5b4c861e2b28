//! `pi-repair compare`: this engine beside the peer, each difference with its reason.

use std::path::PathBuf;
use std::process::ExitCode;

use harness::compare::{Comparison, LEDGER, Row, Unexplained, compare};

use super::files;
use super::out::{self, BAD, DIM, Failure, GOOD, HEAD, styled};

/// Compare this engine with the outcomes of the TypeScript engine
///
/// Every call of OUTCOMES is put to this engine, with the tools of TOOLS. An answer is the same,
/// different for a reason that stands in the ledger, or unexplained: then the status is 1. The
/// formats are those of `corpus/data/differential/README.md`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The peer's outcomes, one JSON object a line; `-` is standard input
    outcomes: PathBuf,
    /// The tools the peer ran with, one JSON object
    tools: PathBuf,
    /// How many unexplained calls to print
    #[arg(long, default_value_t = 10)]
    show: usize,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let name = |path: &PathBuf| path.display().to_string();
    let outcomes = files::read(&args.outcomes)?;
    let outcomes = corpus::parse_outcomes(&name(&args.outcomes), &outcomes)?;
    if outcomes.is_empty() {
        let file = name(&args.outcomes);
        return Err(Failure(format!("{file}: holds no outcome; write one JSON object a line")));
    }
    let tools = corpus::parse_tools(&name(&args.tools), &files::read(&args.tools)?)?;
    let comparison = compare(&outcomes, &tools)
        .map_err(|error| Failure(format!("{}: {error}", args.outcomes.display())))?;
    if args.json {
        out::say_json(&comparison.to_json())?;
    } else {
        out::say(&render(&comparison, args.show))?;
    }
    Ok(ExitCode::from(u8::from(!comparison.unexplained.is_empty())))
}

fn render(comparison: &Comparison, show: usize) -> String {
    let deliberate: usize = comparison.deliberate.values().sum();
    let open = comparison.unexplained.len();
    let rows = LEDGER.iter().map(|row| {
        let count = comparison.deliberate.get(row.id).copied().unwrap_or_default();
        let what = format!("{}: {}", row.id, row.reason);
        vec![what, covers(row), row.ours.to_string(), count.to_string()]
    });
    let mut lines = vec![
        out::table(&["difference", "covers", "our answer", "calls"], rows),
        format!(
            "{} same, {deliberate} deliberately different, {} unexplained",
            comparison.same,
            styled(if open == 0 { GOOD } else { BAD }, open)
        ),
    ];
    lines.extend(comparison.unexplained.iter().take(show).map(unexplained));
    if open > show {
        lines.push(styled(DIM, format!("{} more; print them with --show {open}", open - show)));
    }
    lines.join("\n")
}

/// The peer's rules and the damages a row covers.
fn covers(row: &Row) -> String {
    let list = |label: &str, names: &[&str]| {
        let names = names.join(", ");
        (!names.is_empty()).then(|| format!("{label} {names}"))
    };
    let parts = [list("rule", row.peer_rules), list("damage", row.malformations)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn unexplained(case: &Unexplained) -> String {
    let Unexplained { peer, ours, reading } = case;
    let verdict = format!("{:?}", peer.outcome).to_lowercase();
    let model = peer.model.as_deref().unwrap_or("no model");
    let head =
        format!("{} {} {} {model} {:?}", peer.id, peer.tool, peer.policy, peer.malformations);
    format!(
        "{}\n  input {}\n  peer  {verdict} {} by {:?}\n  ours  {ours}\n  reads {reading}",
        styled(HEAD, head),
        peer.input,
        peer.args,
        peer.rules,
    )
}
