//! Stored failures: one TOML file each, named after the cause, with the answer that is right.

use std::path::Path;

use serde_json::Value;

use crate::{
    error::CorpusError,
    folder,
    held::Held,
    lines::bare_message,
    recipe::expand,
    regression_file::{Answer, RegressionFile},
};

const FORMAT: &str = "corpus/data/regressions/README.md";

/// One form in which the call arrives.
#[derive(Debug)]
pub enum Input {
    /// Argument text as the model sent it.
    Text(String),
    /// The value that reached the hook.
    Value(Held),
}

/// A stored failure, ready to be replayed.
#[derive(Debug)]
pub struct Regression {
    /// Stem of the file, named after the cause.
    pub slug: String,
    /// What went wrong, in one sentence.
    pub why: String,
    /// Where it was seen.
    pub found: String,
    /// Name of the tool.
    pub tool: Option<String>,
    /// The tool's schema; none for one of the host's own tools.
    pub schema: Option<Value>,
    /// Further configuration: an object with `preprocessors`, `limits`.
    pub config: Option<Value>,
    /// Model id.
    pub model: Option<String>,
    /// Provider id.
    pub provider: Option<String>,
    /// Policy profile.
    pub policy: Option<String>,
    /// Why the message ended.
    pub stop_reason: Option<String>,
    /// Whether the host's own argument hook of this tool runs.
    pub owner_hook: bool,
    /// The forms in which the call arrives, at least one; the expectation holds for each.
    pub inputs: Vec<Input>,
    /// Answers that are right; empty if only the invariants are to hold.
    pub expect: Vec<Answer>,
    /// Arguments of a repair that are right; empty if they are not fixed.
    pub args: Vec<Held>,
    /// Id of the reason of a refusal.
    pub reason: Option<String>,
    /// A stage that a change of the repair must name.
    pub stage: Option<String>,
    /// Words that the refusal must contain.
    pub mentions: Vec<String>,
    /// Texts that nothing bound for telemetry may contain.
    pub canaries: Vec<String>,
}

/// Reads one regression; `slug` is the stem of its file and names it in errors.
///
/// # Errors
///
/// Text that is not TOML, an unknown or missing key, JSON text that is none, a call in no form
/// at all, and an expectation that contradicts itself.
pub fn parse_regression(slug: &str, text: &str) -> Result<Regression, CorpusError> {
    let file = format!("{slug}.toml");
    let row: RegressionFile = toml::from_str(text).map_err(|error| {
        let fault = CorpusError::new(&file, error.message(), format!("compare it with {FORMAT}"));
        match error.span() {
            Some(span) => fault.at(line_of(text, span.start)),
            None => fault,
        }
    })?;
    let json = Json { file: &file, text };
    let inputs = inputs(&row, &json)?;
    let mut args = Vec::new();
    for text in row.args.into_vec() {
        args.push(json.read("args", &text)?.into());
    }
    args.extend(row.args_recipe.map(|recipe| json.expand("args_recipe", &recipe)).transpose()?);
    let expect = row.expect.into_vec();
    coherent(&file, &expect, !args.is_empty(), row.reason.is_some())?;
    Ok(Regression {
        slug: slug.to_owned(),
        why: row.why,
        found: row.found,
        tool: row.tool,
        schema: row.schema.map(|schema| json.read("schema", &schema)).transpose()?,
        config: row.config.map(|config| json.read("config", &config)).transpose()?,
        model: row.model,
        provider: row.provider,
        policy: row.policy,
        stop_reason: row.stop_reason,
        owner_hook: row.owner_hook,
        inputs,
        expect,
        args,
        reason: row.reason,
        stage: row.stage,
        mentions: row.mentions,
        canaries: row.canaries,
    })
}

/// Every form of the call that the file gives.
fn inputs(row: &RegressionFile, json: &Json<'_>) -> Result<Vec<Input>, CorpusError> {
    let mut inputs = Vec::new();
    inputs.extend(row.input.clone().map(Input::Text));
    if let Some(recipe) = &row.text_recipe {
        match json.expand("text_recipe", recipe)?.into_inner() {
            Value::String(text) => inputs.push(Input::Text(text)),
            other => {
                crate::dismantle(other);
                let problem = "`text_recipe` describes a value that is no text";
                let remedy = "name the key `value_recipe`, or describe a text";
                return Err(json.fault("text_recipe", problem.into(), remedy));
            }
        }
    }
    if let Some(value) = &row.value {
        inputs.push(Input::Value(json.read("value", value)?.into()));
    }
    if let Some(recipe) = &row.value_recipe {
        inputs.push(Input::Value(json.expand("value_recipe", recipe)?));
    }
    if inputs.is_empty() {
        let remedy = "add `input`, `value`, `text_recipe` or `value_recipe`";
        return Err(CorpusError::new(json.file, "there is no call to replay", remedy));
    }
    Ok(inputs)
}

/// An expectation must be able to come true.
fn coherent(
    file: &str,
    expect: &[Answer],
    has_args: bool,
    has_reason: bool,
) -> Result<(), CorpusError> {
    for (key, given, answer) in
        [("args", has_args, Answer::Repaired), ("reason", has_reason, Answer::Unrepairable)]
    {
        if given && !expect.contains(&answer) {
            let name = format!("{answer:?}").to_lowercase();
            let problem = format!("`{key}` is given, but `expect` does not list `{name}`");
            return Err(CorpusError::new(file, problem, format!("add `{name}`, or drop `{key}`")));
        }
    }
    Ok(())
}

/// Reads the JSON texts of one file, with errors that point to the key.
struct Json<'a> {
    file: &'a str,
    text: &'a str,
}

impl Json<'_> {
    fn read(&self, key: &str, json: &str) -> Result<Value, CorpusError> {
        serde_json::from_str(json).map_err(|error| {
            let problem = format!("`{key}` is not JSON: {}", bare_message(&error));
            self.fault(key, problem, "give JSON text; use a recipe for what is too deep to write")
        })
    }

    fn expand(&self, key: &str, json: &str) -> Result<Held, CorpusError> {
        let recipe = self.read(key, json)?;
        let value = expand(&recipe)
            .map_err(|error| self.fault(key, error.problem.clone(), &error.remedy))?;
        Ok(value.into())
    }

    /// A fault on the line where `key` stands.
    fn fault(&self, key: &str, problem: String, remedy: &str) -> CorpusError {
        let fault = CorpusError::new(self.file, problem, remedy);
        let assigns = |line: &str| {
            line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        match self.text.lines().position(assigns) {
            Some(before) => fault.at(before + 1),
            None => fault,
        }
    }
}

/// Line of a byte, counted from 1.
fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count() + 1
}

/// A regression file as it lies in its folder, of whatever area.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredFile {
    /// Stem of the file, named after the cause.
    pub slug: String,
    /// Its text.
    pub text: String,
}

/// Every `.toml` file of a folder, sorted by name.
///
/// # Errors
///
/// A folder or file that cannot be read.
pub fn files_in(folder: &Path) -> Result<Vec<StoredFile>, CorpusError> {
    folder::read(folder, "toml", |slug, text| {
        Ok(StoredFile { slug: slug.to_owned(), text: text.to_owned() })
    })
}

/// Reads every `.toml` file of a folder, sorted by name.
///
/// # Errors
///
/// A folder or file that cannot be read, and any fault of [`parse_regression`].
pub fn regressions_in(folder: &Path) -> Result<Vec<Regression>, CorpusError> {
    folder::read(folder, "toml", parse_regression)
}
