//! `pi-drift compare`: stored scripts, in the scripted loop and in the real pi.

use std::process::ExitCode;

use corpus::{Release, Script};
use drift::child;
use drift::host::{self, Outcome};
use harness::sim::{self, Unplayable};
use serde_json::{Value, json};

use super::Desk;
use super::out::{self, Bar, Failure, near};
use super::releases::{Pi, pi, releases};

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
    /// Print one JSON object a release, which also says what cannot be played and why
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pi-drift compare 'chaos-*' --pi 0.80.6 --pi 1.6.0";

/// Scripts that only the loop here can run, and why.
const ONLY_PLAYED: &[(&str, &str)] =
    &[("chaos-env-lone-surrogate", "no trace can carry what pi makes of half a surrogate pair")];

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    let scripts = chosen(&args.scripts)?;
    let mut is_parted = false;
    for release in releases(&args.pi, desk)? {
        let compared = match compared(release, &scripts, desk) {
            Err(_) if child::stopped() => Compared::default(),
            done => done?,
        };
        is_parted |= !compared.partings.is_empty();
        out::say(&if args.json {
            serde_json::to_string_pretty(&page(release, &compared))?
        } else {
            told(release, scripts.len(), &compared)
        })?;
    }
    if child::stopped() {
        return Ok(super::stopped());
    }
    Ok(ExitCode::from(u8::from(is_parted)))
}

/// What came of one release.
#[derive(Debug, Default)]
struct Compared {
    ran: usize,
    /// Names of scripts, and why the loop here cannot play them.
    skipped: Vec<(String, String)>,
    /// Names of scripts, and where the two part.
    partings: Vec<(String, String)>,
}

fn compared(release: Release, scripts: &[Script], desk: &Desk) -> Result<Compared, Failure> {
    let mut done = Compared::default();
    if child::stopped() {
        return Ok(done);
    }
    let pi = desk.get(release)?;
    let mut chosen = Vec::new();
    for script in scripts {
        match sim::play(script, release) {
            Ok(_) => chosen.push(script),
            Err(Unplayable(why)) => done.skipped.push((script.name.clone(), why)),
        }
    }
    let steps = chosen.len();
    let bar = Bar::new(steps, &format!("running pi {release}, {steps} scripts"));
    let outcomes = host::run(&pi, &chosen, &mut |_| bar.step())?;
    done.ran = outcomes.len();
    for (script, outcome) in chosen.iter().zip(&outcomes) {
        if let Some(difference) = parting(release, script, outcome) {
            done.partings.push((script.name.clone(), difference));
        }
    }
    Ok(done)
}

fn page(release: Release, done: &Compared) -> Value {
    let skipped = done.skipped.iter().map(|(name, why)| json!({"script": name, "because": why}));
    let partings =
        done.partings.iter().map(|(name, said)| json!({"script": name, "difference": said}));
    json!({
        "pi": release.to_string(), "stopped": child::stopped(), "compared": done.ran,
        "skipped": skipped.collect::<Vec<_>>(), "partings": partings.collect::<Vec<_>>(),
    })
}

fn told(release: Release, all: usize, done: &Compared) -> String {
    let mut text = String::new();
    for (name, difference) in &done.partings {
        text = format!("{text}{name} on pi {release}: {difference}\n\n");
    }
    let compared = out::so_far(done.ran, all);
    let (skipped, parted) = (done.skipped.len(), done.partings.len());
    format!(
        "{text}pi {release}: {compared} scripts compared, {skipped} cannot be played, \
         {parted} on which the two part"
    )
}

fn chosen(names: &[String]) -> Result<Vec<Script>, Failure> {
    let meant = |name: &str, script: &Script| match name.strip_suffix('*') {
        Some(start) => script.name.starts_with(start),
        None => script.name == name,
    };
    let mut scripts = corpus::scripts()?;
    if let Some(missing) = names.iter().find(|name| !scripts.iter().any(|it| meant(name, it))) {
        let near = near(missing, scripts.iter().map(|script| script.name.as_str()));
        return Err(Failure(format!(
            "there is no script `{missing}` in corpus/data/scripts{near}"
        )));
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
