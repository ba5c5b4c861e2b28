//! `pi-drift versions`: what is pinned, what is here, what is new.

use std::process::ExitCode;

use drift::child;
use drift::install::Latest;
use drift::pins::PINS;
use serde_json::json;

use super::Desk;
use super::out::{self, Failure};

/// Say which releases are pinned, which are installed, and which is the newest
///
/// A registry that cannot be asked is no failure: the newest release is then the one it last named,
/// or not known.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, desk: &Desk) -> Result<ExitCode, Failure> {
    let text =
        |releases: &[corpus::Release]| releases.iter().map(ToString::to_string).collect::<Vec<_>>();
    let pinned: Vec<&str> = PINS.iter().map(|pin| pin.release).collect();
    let installed = text(&desk.cache.installed());
    let latest = desk.latest();
    if child::stopped() {
        return Ok(super::stopped());
    }
    if args.json {
        let page = json!({
            "pinned": pinned, "installed": installed, "cache": desk.cache.folder(),
            "latest": latest.as_ref().ok().map(|latest| latest.release.to_string()),
            "unasked": match &latest {
                Ok(latest) => latest.unasked.as_ref().map(ToString::to_string),
                Err(Failure(error)) => Some(error.clone()),
            },
        });
        out::say(&serde_json::to_string_pretty(&page)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let none = || "none yet".to_owned();
    let here = if installed.is_empty() { none() } else { installed.join(", ") };
    out::say(&format!(
        "pinned     {}\ninstalled  {here}, in {}\nnewest     {}",
        pinned.join(", "),
        desk.cache.folder().display(),
        match latest {
            Ok(Latest { release, unasked: None }) => release.to_string(),
            Ok(Latest { release, unasked: Some(error) }) => {
                format!("{release} when last asked ({error})")
            }
            Err(Failure(error)) => format!("not known ({error})"),
        },
    ))?;
    Ok(ExitCode::SUCCESS)
}
