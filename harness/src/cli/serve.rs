//! `pi-repair serve`: the engine behind standard streams, for `conform` and for any other host.

use std::io;
use std::process::ExitCode;

use harness::area::Planted;
use harness::conform::serve::Server;

use super::out::Failure;
use super::verify::mutant;

/// Answer questions on standard input, one JSON line each
///
/// The reference for PROTOCOL.md: what another engine must speak to be tested by `conform`, and a
/// way to use this engine from any language. Ends with its input.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run an engine with this planted bug
    #[arg(long, hide = true, value_parser = mutant)]
    plant: Option<Planted>,
}

const EXAMPLES: &str = "\
Examples:
  echo '{\"id\":1,\"op\":\"hello\",\"protocol\":1}' | pi-repair serve
  pi-repair conform -- pi-repair serve";

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut server = Server::new(args.plant.map(|planted| planted.name));
    server
        .run(io::stdin().lock(), io::stdout().lock())
        .or_else(|error| match error.kind() {
            // Whoever asked has left.
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(Failure(format!("a stream cannot be used: {error}"))),
        })
        .map(|()| ExitCode::SUCCESS)
}
