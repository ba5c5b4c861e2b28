//! The tests of the nextest profile `mutants`, how long each takes, and which mutants it passes.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::tables::say;
use super::tree::Tree;

/// One test, alone in a process.
#[derive(Debug)]
pub(crate) struct Test {
    name: String,
    binary: PathBuf,
    folder: PathBuf,
    /// Without any mutant.
    pub(crate) time: Duration,
    /// The mutants that it passes.
    pub(crate) passes: BTreeSet<usize>,
}

impl Test {
    /// The test as a command. Its address space is bounded, as a mutant may never stop asking for more.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 6000000; exec \"$0\" \"$@\""]).arg(&self.binary);
        command.args(["--exact", &self.name, "--nocapture"]).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command
    }
}

/// Builds the tests and runs each once. Tests that fail as it stands are told and left out.
pub(crate) fn tests(tree: &Tree, mutants: usize) -> Result<Vec<Test>, String> {
    let mut tests = listed(tree)?;
    let hits = tree.target.join("hits");
    let mut failing = Vec::new();
    for test in &mut tests {
        let _ = fs::remove_file(&hits);
        let began = Instant::now();
        let status = test.command().env("WOVEN_HITS", &hits).status();
        test.time = began.elapsed();
        if !status.is_ok_and(|status| status.success()) {
            failing.push(test.name.clone());
        }
        let passed = fs::read_to_string(&hits).unwrap_or_default();
        test.passes = passed.lines().filter_map(|line| line.parse().ok()).collect();
    }
    if !failing.is_empty() {
        say(&format!("left out, as they fail without any mutant: {}\n", failing.join(", ")));
        tests.retain(|test| !failing.contains(&test.name));
    }
    let passed: BTreeSet<usize> = tests.iter().flat_map(|test| &test.passes).copied().collect();
    let time: Duration = tests.iter().map(|test| test.time).sum();
    say(&format!(
        "{} tests take {:.0} s and pass {} of {mutants} mutants\n",
        tests.len(),
        time.as_secs_f64(),
        passed.len()
    ));
    tests.sort_by_key(|test| test.time);
    Ok(tests)
}

/// The arguments for cargo that choose the test binaries, as `.cargo/mutants.toml` has them.
fn binaries() -> Result<Vec<String>, String> {
    let text = fs::read_to_string(".cargo/mutants.toml").map_err(|error| error.to_string())?;
    let config: toml::Table = toml::from_str(&text).map_err(|error| error.to_string())?;
    let list = |member: &str| {
        let rows = config.get(member).and_then(toml::Value::as_array).into_iter().flatten();
        rows.filter_map(toml::Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let packages = list("test_package").into_iter().flat_map(|name| ["--package".to_owned(), name]);
    Ok(packages.chain(list("additional_cargo_test_args")).collect())
}

fn listed(tree: &Tree) -> Result<Vec<Test>, String> {
    let output = tree
        .cargo()
        .args(["nextest", "list", "--message-format", "json", "--cargo-profile", "woven"])
        .args(binaries()?)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo nextest: {error}"))?;
    let found: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the list of cargo nextest: {error}"))?;
    let mut tests = Vec::new();
    for suite in found["rust-suites"].as_object().into_iter().flat_map(|suites| suites.values()) {
        let path = |member: &str| PathBuf::from(suite[member].as_str().unwrap_or_default());
        for (name, case) in suite["testcases"].as_object().into_iter().flatten() {
            if case["filter-match"]["status"] == "matches" {
                tests.push(Test {
                    name: name.clone(),
                    binary: path("binary-path"),
                    folder: path("cwd"),
                    time: Duration::ZERO,
                    passes: BTreeSet::new(),
                });
            }
        }
    }
    Ok(tests)
}
