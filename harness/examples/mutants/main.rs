//! Mutation testing of the engine in one build: every mutant that `cargo mutants` lists is woven in behind a
//! switch, and each is tried by the tests that get there, cheapest first.
//!
//! `mutants [--work FOLDER] [--tables FOLDER] [FILE…]` runs, `mutants --merge OUTCOMES.json` adds what `cargo
//! mutants` itself found. See docs/mutants/README.md.

mod cover;
mod listed;
mod tables;
mod tree;
mod trial;
mod weave;

use std::path::PathBuf;

use clap::Parser;

/// Mutation testing of the engine, all mutants in one build
#[derive(Debug, Parser)]
struct Arguments {
    /// Files of the engine; all of them if none is named
    files: Vec<String>,
    /// Where the woven copy is built; a later run goes on from it
    #[arg(long, default_value = "target/woven")]
    work: PathBuf,
    /// The folder of files.tsv and survivors.tsv
    #[arg(long, default_value = "docs/mutants")]
    tables: PathBuf,
    /// Mutants that are tried at once
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Run nothing: add the outcomes.json of a run of `cargo mutants` to the tables
    #[arg(long, value_name = "OUTCOMES.json")]
    merge: Option<PathBuf>,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    if let Some(outcomes) = &arguments.merge {
        return tables::add(&tables::outcomes_of(outcomes)?, &arguments.tables);
    }
    std::fs::create_dir_all(&arguments.work)
        .map_err(|error| format!("{}: {error}", arguments.work.display()))?;
    let work = arguments.work.canonicalize().map_err(|error| error.to_string())?;
    let mutants = listed::list(&arguments.files)?;
    let tree = tree::Tree::new(&work, &mutants)?;
    tables::say(&format!("{} mutants; weaving\n", mutants.len()));
    let left_out = tree.weave_until_it_compiles(&mutants)?;
    tables::say(&format!(
        "{} do not compile or cannot be woven; building the tests\n",
        left_out.len()
    ));
    let tests = cover::tests(&tree, mutants.len())?;
    let outcomes = trial::try_all(&mutants, &left_out, &tests, arguments.jobs)?;
    tables::add(&outcomes, &arguments.tables)
}
