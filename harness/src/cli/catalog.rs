//! `pi-repair catalog`: everything the engine may do, as Markdown.

use std::process::ExitCode;

use super::out::{self, Failure};

/// Print the catalogue of rules, preprocessors, liberties, name rules, reasons and limits
///
/// Markdown, printed from the engine's own tables; `docs/catalog.md` is this text.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<ExitCode, Failure> {
    out::say(&harness::catalog::catalog())?;
    Ok(ExitCode::SUCCESS)
}
