//! `pi-drift chaos`: the scripts made of stored failures.

use std::path::PathBuf;
use std::process::ExitCode;

use corpus::Area;
use harness::sim::chaos::plans;

use super::out::{self, Failure};

/// Write the scripts that send every stored failure through the whole loop
///
/// They are made of corpus/data/cases, a prompt for each case; nothing else changes them.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder that gets them; made if it is not there
    #[arg(long, value_name = "DIR", default_value = "corpus/data/scripts")]
    into: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut cases = Vec::new();
    for area in [Area::Arguments, Area::ToolNames, Area::Leaks] {
        cases.extend(corpus::cases(area)?);
    }
    out::folder(&args.into)?;
    for plan in plans(&cases)? {
        let file = args.into.join(format!("{}.json", plan.script.name));
        out::file(&file, &plan.page)?;
        out::say(&file.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}
