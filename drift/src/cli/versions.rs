//! `pi-drift versions`: what is pinned, what is here, what is new.

use std::process::ExitCode;

use drift::pins::PINS;
use serde_json::json;

use super::Desk;
use super::out::{self, Bar, Failure};

/// Say which releases are pinned, which are installed, and which is the newest
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
    let bar = Bar::new(0);
    bar.stage("asking the registry for the newest release");
    let latest = desk.cache.latest().map(|latest| latest.release.to_string());
    bar.done();
    if args.json {
        let page = json!({"pinned": pinned, "installed": installed, "latest": latest.ok()});
        out::say(&serde_json::to_string_pretty(&page)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let none = || "none yet".to_owned();
    let here = if installed.is_empty() { none() } else { installed.join(", ") };
    out::say(&format!(
        "pinned     {}\ninstalled  {here}, in {}\nnewest     {}",
        pinned.join(", "),
        desk.cache.folder().display(),
        latest.unwrap_or_else(|error| format!("not known ({error})")),
    ))?;
    Ok(ExitCode::SUCCESS)
}
