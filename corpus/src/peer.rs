//! Facts about the TypeScript engine pi-repair-layer 0.4.3: its outcomes, tools and known defects.

use serde::Deserialize;
use serde_json::Value;

use crate::{error::CorpusError, lines};

/// What the peer said of a call; its `Valid` also covers what it leaves to the host.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "kebab-case")]
pub enum PeerVerdict {
    /// Untouched.
    Valid,
    /// Changed, and then accepted.
    Repaired,
    /// Refused.
    Unrepairable,
}

/// One generated call and what the peer made of it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct PeerOutcome {
    /// Unique within the file.
    pub id: String,
    /// A tool of the tools file.
    pub tool: String,
    /// `conservative`, `adaptive` or `recover`.
    pub policy: String,
    /// Model id, which gates some of the peer's rules.
    pub model: Option<String>,
    /// How the call was damaged, in order.
    #[serde(default)]
    pub malformations: Vec<String>,
    /// The arguments as they reached the peer; a text is a root string.
    pub input: Value,
    /// The peer's verdict.
    pub outcome: PeerVerdict,
    /// The arguments the peer answered with.
    pub args: Value,
    /// Ids of the peer's rules that fired, in order.
    #[serde(default)]
    pub rules: Vec<String>,
}

/// A tool as the peer was given it.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerTool {
    /// The registered name.
    pub name: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether pi's own argument hook ran before the peer.
    pub has_owner_hook: bool,
    /// The peer's preprocessors, in its own spelling.
    pub preprocessors: Vec<Value>,
    /// The peer's remaining configuration: aliases, root string, path fields.
    pub config: Value,
}

/// An input on which the peer breaks a promise.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Defect {
    /// Unique within the file; named after the cause.
    pub id: String,
    /// `low` to `critical`.
    pub severity: String,
    /// `stated` if the peer makes the promise itself, `ours` if it is plain sense.
    pub basis: String,
    /// What was called: `pipeline` for arguments, `grammar` for leaks.
    pub api: String,
    /// The promise.
    pub property: String,
    /// Built-in tool, where no schema is given.
    pub tool: Option<String>,
    /// Model id.
    pub model: Option<String>,
    /// Schema of a tool of its own.
    pub schema: Option<Value>,
    /// Preprocessors and limits, in the peer's spelling.
    pub config: Option<Value>,
    /// Mode for leaks.
    pub mode: Option<String>,
    /// A value, a text, or a recipe; see [`expand`](crate::expand).
    pub input: Value,
    /// The recipe in words.
    pub input_note: Option<String>,
    /// What the peer did.
    pub observed: Value,
    /// What should have happened.
    pub expected: String,
    /// What is wrong with what it did.
    pub why_wrong: String,
}

/// Reads the peer's outcomes, one JSON object a line; `file` names the text in errors.
///
/// # Errors
///
/// A line that is not JSON, lacks a field, or repeats an id.
pub fn parse_outcomes(file: &str, text: &str) -> Result<Vec<PeerOutcome>, CorpusError> {
    lines::parse(file, text, "corpus/data/differential/README.md", |row: PeerOutcome| {
        Ok((row.id.clone(), row))
    })
}

/// Reads the peer's defects, one JSON object a line; `file` names the text in errors.
///
/// # Errors
///
/// A line that is not JSON, lacks a field, or repeats an id.
pub fn parse_defects(file: &str, text: &str) -> Result<Vec<Defect>, CorpusError> {
    lines::parse(file, text, "corpus/data/cases/README.md", |row: Defect| Ok((row.id.clone(), row)))
}

/// Reads a tools file, one object with a field per tool, in the order of the file.
///
/// # Errors
///
/// Text that is not such an object, or a tool without parameters.
pub fn parse_tools(file: &str, text: &str) -> Result<Vec<PeerTool>, CorpusError> {
    let tools: serde_json::Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        let remedy = "write one JSON object whose fields are tools by name";
        CorpusError::new(file, lines::bare_message(&error), remedy).at(error.line())
    })?;
    tools.into_iter().map(|(name, tool)| read_tool(file, name, tool)).collect()
}

/// A tool as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolRow {
    parameters: Value,
    #[serde(default)]
    has_owner_hook: bool,
    #[serde(default)]
    preprocessors: Vec<Value>,
    #[serde(default)]
    config: Value,
}

fn read_tool(file: &str, name: String, tool: Value) -> Result<PeerTool, CorpusError> {
    let row: ToolRow = serde_json::from_value(tool).map_err(|error| {
        let problem = format!("tool `{name}`: {}", lines::bare_message(&error));
        CorpusError::new(file, problem, "compare it with corpus/data/differential/README.md")
    })?;
    Ok(PeerTool {
        name,
        parameters: row.parameters,
        has_owner_hook: row.has_owner_hook,
        preprocessors: row.preprocessors,
        config: row.config,
    })
}
