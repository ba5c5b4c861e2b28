//! `pi-drift ledger`: the page of all claims.

use std::process::ExitCode;

use super::out::{self, Failure};

/// Print docs/claims.md
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<ExitCode, Failure> {
    out::say(&drift::ledger::ledger(&corpus::claims()?))?;
    Ok(ExitCode::SUCCESS)
}
