//! The woven copy of the workspace, and what of it compiles.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::listed::{Genre, Mutant};
use super::weave::{Woven, weave};

/// Optimised a little, as each test runs thousands of times; checked as the tests are.
const PROFILE: &str = "
[profile.woven]
inherits = \"dev\"
opt-level = 1
debug = false
incremental = false
";

/// The switches: the environment says which mutant is on, and where to note which ones were passed.
const SWITCHES: &str = r#"//! Which mutant is on.
#![allow(warnings, clippy::all, clippy::pedantic)]
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
static STATE: OnceLock<(usize, Option<Mutex<std::fs::File>>)> = OnceLock::new();

pub fn on(number: usize) -> bool {
    let (active, log) = STATE.get_or_init(|| {
        let active = std::env::var("WOVEN").ok().and_then(|value| value.parse().ok());
        let log = std::env::var_os("WOVEN_HITS");
        let log = log.and_then(|path| std::fs::OpenOptions::new().create(true).append(true).open(path).ok());
        (active.unwrap_or(usize::MAX), log.map(Mutex::new))
    });
    if let Some(log) = log && !SEEN[number].swap(true, Ordering::Relaxed) {
        let _ = writeln!(log.lock().unwrap(), "{number}");
    }
    *active == number
}
"#;

/// Rounds after which weaving is given up: the compiler tells of errors in a few phases.
const ROUNDS_MAX: usize = 12;

/// Why a mutant cannot be tried.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum LeftOut {
    /// It does not compile.
    Unviable,
    /// It may compile, but not behind a switch: in a constant, or where a type would be another.
    NotWoven,
}

/// The copy.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Its folder.
    pub(crate) root: PathBuf,
    /// Where it is built.
    pub(crate) target: PathBuf,
}

impl Tree {
    /// Copies what git tracks in the current folder; files that are the same are left, so that little is built again.
    pub(crate) fn new(work: &Path, mutants: &[Mutant]) -> Result<Self, String> {
        let tree = Self { root: work.join("tree"), target: work.join("target") };
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .output()
            .map_err(|error| format!("git: {error}"))?;
        for file in String::from_utf8_lossy(&listed.stdout).lines() {
            let woven = mutants.iter().any(|mutant| mutant.file == file);
            let Ok(bytes) = fs::read(file) else { continue };
            if !woven && file != "Cargo.toml" && file != "engine/src/lib.rs" {
                tree.write(file, &bytes)?;
            }
        }
        // Every switch stands in parentheses, needed or not; and a mutant may compare what cannot be less.
        let manifest = read("Cargo.toml")?.replace(
            "[workspace.lints.rust]",
            "[workspace.lints.rust]\nunused_parens = \"allow\"\nunused_comparisons = \"allow\"",
        );
        tree.write("Cargo.toml", (manifest + PROFILE).as_bytes())?;
        let switches = SWITCHES.replace("COUNT", &mutants.len().to_string());
        tree.write("engine/src/woven.rs", switches.as_bytes())?;
        if mutants.iter().all(|mutant| mutant.file != "engine/src/lib.rs") {
            tree.write_woven("engine/src/lib.rs", read("engine/src/lib.rs")?)?;
        }
        Ok(tree)
    }

    /// Weaves all mutants, and leaves out those that the compiler refuses until it refuses none.
    pub(crate) fn weave_until_it_compiles(
        &self,
        mutants: &[Mutant],
    ) -> Result<BTreeMap<usize, LeftOut>, String> {
        let opaque = mutants.iter().enumerate().filter(|(_, mutant)| mutant.is_opaque());
        let mut left_out: BTreeMap<usize, LeftOut> =
            opaque.map(|(number, _)| (number, LeftOut::NotWoven)).collect();
        for _ in 0..ROUNDS_MAX {
            let woven = self.weave(mutants, &left_out)?;
            let errors = self.check()?;
            if errors.is_empty() {
                return Ok(left_out);
            }
            let before = left_out.len();
            let mut unexplained = Vec::new();
            for error in errors {
                match blamed(&error, &woven) {
                    Some(number) => drop(left_out.insert(number, why(&error, &mutants[number]))),
                    None => unexplained.push(error),
                }
            }
            // An arm that only together with another cannot have a guard: the error stands at neither.
            let near: Vec<usize> =
                unexplained.iter().flat_map(|error| arms_near(error, &woven, mutants)).collect();
            left_out.extend(near.into_iter().map(|number| (number, LeftOut::NotWoven)));
            if left_out.len() == before {
                let first = unexplained.first().map_or("", |error| rendered(error));
                return Err(format!("the woven engine does not compile:\n{first}"));
            }
        }
        Err("the woven engine still does not compile".to_owned())
    }

    fn weave(
        &self,
        mutants: &[Mutant],
        left_out: &BTreeMap<usize, LeftOut>,
    ) -> Result<BTreeMap<String, Woven>, String> {
        let mut by_file: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (number, mutant) in mutants.iter().enumerate() {
            let rows = by_file.entry(&mutant.file).or_default();
            if !left_out.contains_key(&number) {
                rows.push((number, mutant));
            }
        }
        let mut all = BTreeMap::new();
        for (file, rows) in by_file {
            let woven = weave(&read(file)?, &rows).map_err(|says| format!("{file}: {says}"))?;
            self.write_woven(file, woven.text.clone())?;
            all.insert(file.to_owned(), woven);
        }
        Ok(all)
    }

    /// The errors of the compiler, each as its message.
    fn check(&self) -> Result<Vec<Value>, String> {
        let output = self
            .cargo()
            .args(["check", "--package", "engine", "--message-format", "json"])
            .output()
            .map_err(|error| format!("cargo check: {error}"))?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut errors: Vec<Value> = messages
            .map(|mut line| line["message"].take())
            .filter(|message| message["level"] == "error")
            .collect();
        errors.retain(|error| error["spans"].as_array().is_some_and(|spans| !spans.is_empty()));
        if errors.is_empty() && !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(errors)
    }

    /// Cargo in the copy.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    fn write_woven(&self, file: &str, mut text: String) -> Result<(), String> {
        if file == "engine/src/lib.rs" {
            text.push_str("\n#[doc(hidden)]\npub mod woven;\n");
        }
        self.write(file, text.as_bytes())
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.root.join(file);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        let says = |error: std::io::Error| format!("{}: {error}", path.display());
        fs::create_dir_all(path.parent().unwrap_or(&self.root)).map_err(says)?;
        fs::write(&path, bytes).map_err(says)
    }
}

fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))
}

fn rendered(error: &Value) -> &str {
    error["rendered"].as_str().unwrap_or_default()
}

/// File and bytes of each span of an error, the primary ones first.
fn spans(error: &Value) -> Vec<(String, std::ops::Range<usize>)> {
    let all = error["spans"].as_array().into_iter().flatten();
    let (first, others): (Vec<_>, Vec<_>) = all.partition(|span| span["is_primary"] == true);
    let read = |span: &Value| {
        let at = |member: &str| usize::try_from(span[member].as_u64()?).ok();
        Some((span["file_name"].as_str()?.to_owned(), at("byte_start")?..at("byte_end")?))
    };
    first.into_iter().chain(others).filter_map(read).collect()
}

/// The mutant whose inserted text the error stands in; the smallest if several do.
fn blamed(error: &Value, woven: &BTreeMap<String, Woven>) -> Option<usize> {
    spans(error).into_iter().find_map(|(file, bytes)| {
        let inserted = woven.get(&file)?.inserted.iter();
        let around =
            inserted.filter(|(range, _)| range.start <= bytes.start && bytes.end <= range.end + 1);
        around.min_by_key(|(range, _)| range.len()).map(|(_, number)| *number)
    })
}

/// What stands in no mutant's text but before some: the arms of the match that is no longer exhaustive, or
/// whatever the error covers.
fn arms_near(error: &Value, woven: &BTreeMap<String, Woven>, mutants: &[Mutant]) -> Vec<usize> {
    let Some((file, bytes)) = spans(error).into_iter().next() else { return Vec::new() };
    let Some(woven) = woven.get(&file) else { return Vec::new() };
    let inside =
        |range: &std::ops::Range<usize>| range.start < bytes.end && bytes.start < range.end;
    let covered: Vec<usize> =
        woven.inserted.iter().filter(|row| inside(&row.0)).map(|row| row.1).collect();
    if !covered.is_empty() {
        return covered;
    }
    // The match ends where its line's indentation comes back.
    let line = woven.text[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
    let indent: String = woven.text[line..].chars().take_while(|c| *c == ' ').collect();
    let end = woven.text[bytes.end..].find(&format!("\n{indent}}}"));
    let all = bytes.end..end.map_or(bytes.end, |at| bytes.end + at);
    let arms = woven.inserted.iter().filter(|row| all.contains(&row.0.start));
    arms.map(|row| row.1).filter(|number| mutants[*number].genre == Genre::MatchArm).collect()
}

/// What the compiler refuses because of the switch itself, and what because of the change.
fn why(error: &Value, mutant: &Mutant) -> LeftOut {
    let switch = error["code"]["code"] == "E0015";
    let arm = mutant.genre == Genre::MatchArm;
    if switch || arm { LeftOut::NotWoven } else { LeftOut::Unviable }
}
