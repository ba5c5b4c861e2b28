//! The mutants as `cargo mutants` lists them.

use std::process::Command;

use serde::Deserialize;

/// One change of the engine.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) genre: Genre,
    pub(crate) replacement: String,
    pub(crate) span: Span,
    function: Option<Function>,
}

/// What is changed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
pub(crate) enum Genre {
    FnValue,
    BinaryOperator,
    UnaryOperator,
    MatchArm,
    MatchArmGuard,
    StructField,
}

/// Where it stands; only where it begins is looked at.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: Place,
}

/// Line and column, both counted from 1.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Clone, Debug, Deserialize)]
struct Function {
    return_type: String,
}

impl Mutant {
    /// A function whose type only its body knows cannot return early with another one.
    pub(crate) fn is_opaque(&self) -> bool {
        let opaque = |function: &Function| function.return_type.starts_with("-> impl");
        self.genre == Genre::FnValue && self.function.as_ref().is_some_and(opaque)
    }
}

/// The mutants of these files of the engine, or of all.
pub(crate) fn list(files: &[String]) -> Result<Vec<Mutant>, String> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--package", "engine", "--list", "--json"]);
    command.args(files.iter().map(|file| format!("--file={file}")));
    let output = command.output().map_err(|error| format!("cargo mutants: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo mutants: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let found: Vec<Mutant> = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the list of cargo mutants: {error}"))?;
    if found.is_empty() { Err("these files have no mutants".to_owned()) } else { Ok(found) }
}
