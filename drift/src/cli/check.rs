//! `pi-drift check` and `pi-drift report`: claims × releases.

use std::process::ExitCode;

use corpus::{Claim, Release, Script};
use drift::check::{self, Checked, needed};
use drift::{child, report};

use super::Desk;
use super::out::{self, Bar, Failure, near};
use super::releases::{Pi, pi, releases};

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
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Check, and print a page for an issue
///
/// Markdown, or with --json the same as `check --json`. The status is that of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = REPORT_EXAMPLES, after_long_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    check: Args,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift check --pi 0.80.6 --pi latest
  pi-drift check --pi 1.6.0 --claim order-of-hooks";

const REPORT_EXAMPLES: &str = "\
Examples:
  pi-drift report --pi latest > issue.md
  pi-drift report --pi baseline --pi latest --json";

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    print(args, desk, |checked, claims| {
        let heads = checked.iter().map(|it| it.release.to_string());
        let header = std::iter::once("claim".to_owned()).chain(heads).collect();
        let mut text = out::table(header, report::rows(checked, claims));
        for finding in report::findings(checked, claims) {
            text = format!("{text}\n\n{finding}");
        }
        for it in checked {
            text = format!("{text}\n{}", report::summary(it));
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
    page: impl Fn(&[Checked], &[Claim]) -> String,
) -> Result<ExitCode, Failure> {
    let scripts = corpus::scripts()?;
    let claims = chosen(args, &scripts)?;
    let checked = checked(args, desk, &claims, &scripts)?;
    if args.json {
        out::say(&serde_json::to_string_pretty(&report::to_json(&checked, &claims))?)?;
    } else {
        out::say(&page(&checked, &claims))?;
    }
    if child::stopped() {
        return Ok(super::stopped());
    }
    let drifted = checked.iter().any(|it| it.drifted().next().is_some());
    Ok(ExitCode::from(u8::from(drifted)))
}

fn chosen(args: &Args, scripts: &[Script]) -> Result<Vec<Claim>, Failure> {
    let mut claims = corpus::claims()?;
    for name in &args.claims {
        if !claims.iter().any(|claim| claim.name == *name) {
            let near = near(name, claims.iter().map(|claim| claim.name.as_str()));
            let all = "docs/claims.md lists all";
            return Err(Failure(format!("there is no claim `{name}`; {all}{near}")));
        }
    }
    claims.retain(|claim| args.claims.is_empty() || args.claims.contains(&claim.name));
    let names: Vec<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
    if let Some(claim) = claims.iter().find(|claim| !names.contains(&claim.script.as_str())) {
        let Claim { name, script, .. } = claim;
        let near = near(script, names.into_iter());
        return Err(Failure(format!(
            "the claim `{name}` names the script `{script}`, which is not in corpus/data/scripts{near}"
        )));
    }
    Ok(claims)
}

fn checked(
    args: &Args,
    desk: &Desk,
    claims: &[Claim],
    scripts: &[Script],
) -> Result<Vec<Checked>, Failure> {
    let mut all = Vec::new();
    for release in releases(&args.pi, desk)? {
        all.push(match one(release, desk, claims, scripts) {
            Err(_) if child::stopped() => check::unreached(release, claims),
            done => done?,
        });
    }
    Ok(all)
}

fn one(
    release: Release,
    desk: &Desk,
    claims: &[Claim],
    scripts: &[Script],
) -> Result<Checked, Failure> {
    if child::stopped() {
        return Ok(check::unreached(release, claims));
    }
    let pi = desk.get(release)?;
    let steps = needed(release, claims, scripts).len();
    let bar = Bar::new(steps, &format!("running pi {release}, {steps} scripts"));
    Ok(check::check(&pi, claims, scripts, &mut |_| bar.step())?)
}
