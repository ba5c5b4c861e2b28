//! `pi-drift check` and `pi-drift report`: claims × releases.

use std::process::ExitCode;

use drift::check::{self, Checked, needed};
use drift::{child, report};

use super::out::{self, Bar, Failure};
use super::releases::{Pi, pi, releases};
use super::{Desk, STOPPED};

/// Check every claim on some releases
///
/// Prints claim × release, and for each claim that does not hold what was seen, what leans on it
/// and how to run it again. Fails with status 1 if there is one. Ctrl-C ends it early and prints
/// what held so far.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "pinned")]
    pi: Vec<Pi>,
    /// Only these claims
    #[arg(long = "claim", value_name = "NAME")]
    claims: Vec<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Check, and print a page for an issue
///
/// Markdown, or with --json the same as `check --json`. The status is that of `check`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    check: Args,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift check --pi 0.80.6 --pi latest
  pi-drift check --pi 1.6.0 --claim order-of-hooks";

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    print(args, desk, |checked, claims| {
        let heads = checked.iter().map(|it| it.release.to_string());
        let header = std::iter::once("claim".to_owned()).chain(heads).collect();
        let mut text = out::table(header, report::rows(checked, claims));
        for finding in report::findings(checked, claims) {
            text = format!("{text}\n\n{finding}");
        }
        for it in checked {
            let (held, drifted) = (it.held(), it.drifted().count());
            text = format!("{text}\npi {}: {held} claims hold, {drifted} drifted", it.release);
            if it.unrun() > 0 {
                text = format!("{text}, {} not run", it.unrun());
            }
        }
        text
    })
}

pub(crate) fn report(args: &ReportArgs, desk: &Desk) -> Result<ExitCode, Failure> {
    print(&args.check, desk, report::markdown)
}

fn print(
    args: &Args,
    desk: &Desk,
    page: impl Fn(&[Checked], &[corpus::Claim]) -> String,
) -> Result<ExitCode, Failure> {
    let claims = chosen(args)?;
    let checked = checked(args, desk, &claims)?;
    if args.json {
        out::say(&serde_json::to_string_pretty(&report::to_json(&checked, &claims))?)?;
    } else {
        out::say(&page(&checked, &claims))?;
    }
    if child::stopped() {
        return Ok(ExitCode::from(STOPPED));
    }
    let drifted = checked.iter().any(|it| it.drifted().next().is_some());
    Ok(ExitCode::from(u8::from(drifted)))
}

fn chosen(args: &Args) -> Result<Vec<corpus::Claim>, Failure> {
    let mut claims = corpus::claims()?;
    for name in &args.claims {
        if !claims.iter().any(|claim| claim.name == *name) {
            return Err(Failure(format!("there is no claim `{name}`; docs/claims.md lists all")));
        }
    }
    claims.retain(|claim| args.claims.is_empty() || args.claims.contains(&claim.name));
    Ok(claims)
}

fn checked(args: &Args, desk: &Desk, claims: &[corpus::Claim]) -> Result<Vec<Checked>, Failure> {
    let scripts = corpus::scripts()?;
    let releases = releases(&args.pi, &desk.cache)?;
    let steps = releases.iter().map(|release| needed(*release, claims, &scripts).len()).sum();
    let bar = Bar::new(steps);
    let mut all = Vec::new();
    for release in releases {
        let pi = desk.get(release, &bar)?;
        bar.stage(&format!("running pi {release}"));
        all.push(check::check(&pi, claims, &scripts, &mut |_| bar.step())?);
        if child::stopped() {
            break;
        }
    }
    bar.done();
    Ok(all)
}
