//! `pi-drift compare`: stored scripts, in the scripted loop and in the real pi.

use std::process::ExitCode;

use corpus::{Release, Script};
use drift::child;
use drift::host::{self, Outcome};
use harness::sim;

use super::out::{self, Bar, Failure};
use super::releases::{Pi, pi, releases};
use super::{Desk, STOPPED};

/// Run stored scripts in the scripted loop and in the real pi, and print where the two part
///
/// Without names, every script that can be played. Fails with status 1 if they part somewhere.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Names of scripts in corpus/data/scripts, or beginnings of names that end in `*`
    scripts: Vec<String>,
    /// A release: a number, `baseline`, `latest` or `pinned`; may be repeated
    #[arg(long = "pi", value_name = "RELEASE", value_parser = pi, default_value = "baseline")]
    pi: Vec<Pi>,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift compare 'chaos-*' --pi 0.80.6 --pi 1.6.0";

/// Scripts that only the loop here can run, and why.
const ONLY_PLAYED: &[(&str, &str)] =
    &[("chaos-env-lone-surrogate", "no trace can carry what pi makes of half a surrogate pair")];

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    let scripts = chosen(&args.scripts)?;
    let mut parted = 0;
    for release in releases(&args.pi, &desk.cache)? {
        let bar = Bar::new(scripts.len());
        let pi = desk.get(release, &bar)?;
        let is_playable = |script: &&Script| sim::play(script, release).is_ok();
        let chosen: Vec<&Script> = scripts.iter().filter(is_playable).collect();
        bar.stage(&format!("pi {release}: {} scripts", chosen.len()));
        let outcomes = host::run(&pi, &chosen, &mut |_| bar.step())?;
        bar.done();
        for (script, outcome) in chosen.iter().zip(&outcomes) {
            if let Some(difference) = parting(release, script, outcome) {
                parted += 1;
                out::say(&format!("{} on pi {release}: {difference}\n", script.name))?;
            }
        }
        let (all, skipped) = (outcomes.len(), scripts.len() - chosen.len());
        out::say(&format!("pi {release}: {all} scripts compared, {skipped} not playable"))?;
        if child::stopped() {
            return Ok(ExitCode::from(STOPPED));
        }
    }
    Ok(ExitCode::from(u8::from(parted > 0)))
}

fn chosen(names: &[String]) -> Result<Vec<Script>, Failure> {
    let meant = |name: &str, script: &Script| match name.strip_suffix('*') {
        Some(start) => script.name.starts_with(start),
        None => script.name == name,
    };
    let mut scripts = corpus::scripts()?;
    if let Some(missing) = names.iter().find(|name| !scripts.iter().any(|it| meant(name, it))) {
        return Err(Failure(format!("there is no script `{missing}` in corpus/data/scripts")));
    }
    let only_played = |script: &Script| ONLY_PLAYED.iter().any(|(name, _)| *name == script.name);
    scripts.retain(|script| {
        let asked = names.is_empty() || names.iter().any(|name| meant(name, script));
        asked && !only_played(script)
    });
    Ok(scripts)
}

fn parting(release: Release, script: &Script, outcome: &Outcome) -> Option<String> {
    let own = sim::play(script, release).ok()?;
    match outcome {
        Ok(trace) => sim::compare(&own, trace).map(|difference| difference.to_string()),
        Err(error) => Some(format!("pi could not run it: {error}")),
    }
}
