//! The `pi-repair` command.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
