//! `pi-repair explain`: what becomes of one call, stage by stage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::files;
use super::host::{self, HostChoice};
use super::out::{self, BAD, DIM, FAIR, Failure, GOOD, HEAD, styled};
use super::stop;
use engine::{Change, Context, Issue, Limits, Operation, Policy, Stage, StopReason, ToolConfig};
use harness::explain::{Explanation, Request, Step, explain, kind};
use serde_json::Value;

/// Explain what becomes of one call, stage by stage
///
/// Prints what was read, the name, the host's own hook, each change with its rule, pointer,
/// operations and the arguments after it, the final check, and what the model would read: the
/// note, or the refusal. Whatever the outcome, the status is 0.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The tool as the call names it: one of pi's, or your own with --schema
    #[arg(long)]
    tool: String,
    /// The model's id, such as glm-4.6; some strips need it
    #[arg(long)]
    model: Option<String>,
    /// The provider's id, such as xai
    #[arg(long)]
    provider: Option<String>,
    /// How far repair may go: conservative, adaptive or recover
    #[arg(long, default_value = "adaptive", value_parser = policy)]
    policy: Policy,
    /// Why the model stopped
    #[arg(long, default_value = "stop", value_parser = stop::parser())]
    stop_reason: StopReason,
    /// A file with the JSON Schema of your own tool
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// A file with the tool's configuration: `rootField`, `preprocessors`, `limits`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The host whose conversion runs after the engine: pi-1.5, pi-0.85, pi-0.80 or none
    #[arg(long, value_parser = host::parse, default_value = "pi-1.5")]
    host: HostChoice,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The arguments as the model sent them, JSON or broken; standard input if absent or `-`
    input: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  pi-repair explain --tool read '{\"file_path\":\"/x\",\"limit\":null}'
  pi-repair explain --tool Bash --model glm-4.6 '{\"command\":\"ls\",}'
  pi-repair explain --tool forecast --schema forecast.json --json < arguments.txt";

fn policy(name: &str) -> Result<Policy, String> {
    name.parse().map_err(|error: engine::UnknownPolicy| error.to_string())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let input = match args.input.as_deref() {
        None | Some("-") => files::read_stdin()?,
        Some(text) => text.to_owned(),
    };
    let schema = args.schema.as_deref().map(schema_of).transpose()?;
    let config = args.config.as_deref().map(files::read_json).transpose()?;
    let mut limits = Limits::default();
    for (name, value) in config.iter().filter_map(|c| c.get("limits")?.as_object()).flatten() {
        let count = value.as_u64().ok_or_else(|| Failure(format!("limit `{name}` is no count")))?;
        limits.set(name, count)?;
    }
    let context = Context {
        model: args.model.as_deref(),
        provider: args.provider.as_deref(),
        policy: args.policy,
        stop_reason: args.stop_reason,
        limits,
    };
    let request = Request {
        tool: &args.tool,
        schema,
        config: config.as_ref().map(ToolConfig::from_json).transpose()?,
        host: args.host.0,
        context,
        input: &input,
    };
    let explanation = explain(&request)?;
    if args.json {
        out::say_json(&explanation.to_json())?;
    } else {
        out::say(&render(&explanation, &request))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The schema of one tool; a list of tools is the usual mistake.
fn schema_of(path: &Path) -> Result<Value, Failure> {
    let schema = files::read_json(path)?;
    if schema.is_object() || schema.is_boolean() {
        return Ok(schema);
    }
    Err(Failure(format!(
        "{}: a schema is a JSON object; give the `parameters` of one tool",
        path.display()
    )))
}

/// The stages, one paragraph each.
fn render(told: &Explanation, request: &Request<'_>) -> String {
    let mut page = Page::default();
    name_stage(&mut page, told, request);
    if told.tool.is_some() {
        read_stage(&mut page, told);
    }
    if told.read.is_some() {
        later_stages(&mut page, told);
    }
    for seen in &told.observations {
        page.stage("observed");
        page.line(&format!("{} {}", seen.rule, kind(seen.kind)));
    }
    outcome(&mut page, told);
    page.text
}

/// What is printed, line by line.
#[derive(Default)]
struct Page {
    text: String,
    stage: String,
}

impl Page {
    /// Begins a stage; one that goes on is not named again.
    fn stage(&mut self, name: &str) {
        if self.stage != name {
            name.clone_into(&mut self.stage);
            self.text.push_str(&styled(HEAD, name));
            self.text.push('\n');
        }
    }

    fn line(&mut self, text: &str) {
        for line in text.lines() {
            self.text.push_str("  ");
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    fn change(&mut self, change: &Change) {
        let rule = styled(GOOD, change.rule);
        let place = match change.stage {
            Stage::Name | Stage::Read => String::new(),
            _ => format!(" at {}", change.pointer.readable()),
        };
        self.line(&format!("{rule}{place}: {}", change.note));
        for operation in &change.operations {
            self.line(&format!("  {}", shown(operation)));
        }
    }

    fn step(&mut self, step: &Step) {
        self.change(&step.change);
        if let Some(args) = &step.args {
            self.line(&styled(DIM, format!("  = {args}")));
        }
    }
}

fn shown(operation: &Operation) -> String {
    match operation {
        Operation::Add { path, value } => format!("add {path} {value}"),
        Operation::Remove { path } => format!("remove {path}"),
        Operation::Replace { path, value } if path.is_root() => format!("replace all by {value}"),
        Operation::Replace { path, value } => format!("replace {path} by {value}"),
        Operation::Move { from, path } => format!("move {from} to {path}"),
    }
}

fn name_stage(page: &mut Page, told: &Explanation, request: &Request<'_>) {
    page.stage("name");
    match &told.tool {
        None => {
            page.line(&format!("`{}` is none of the registered tools", request.tool));
            page.line(&styled(DIM, "for a tool of your own, give its schema: --schema FILE"));
        }
        Some(tool) if told.name_changes.is_empty() => page.line(&format!("`{tool}`, exact")),
        Some(_) => told.name_changes.iter().for_each(|change| page.change(change)),
    }
}

fn read_stage(page: &mut Page, told: &Explanation) {
    page.stage("read");
    let Some(value) = &told.read else {
        return page.line("the text cannot be read, or must not be");
    };
    let before = told.steps.iter().take(told.steps_before_check);
    let liberties = before.filter(|step| step.change.stage == Stage::Read);
    page.line(match (told.strict, value.is_string()) {
        (true, _) => "strict JSON",
        (false, true) => "a text without JSON, or JSON text with liberties",
        (false, false) => "JSON, with liberties",
    });
    liberties.for_each(|step| page.step(step));
    page.line(&styled(DIM, format!("  = {value}")));
}

/// From the hook to the last repair; a refusal claims no change, so none can be shown for it.
fn later_stages(page: &mut Page, told: &Explanation) {
    let (before, after) = told.steps.split_at(told.steps_before_check);
    if told.refusal.is_none() {
        let hook = if told.hooked { "changed nothing" } else { "the host has none for this tool" };
        steps_of(page, Stage::OwnerHook, before, hook);
        steps_of(page, Stage::Preprocess, before, "nothing to do");
    }
    check_stage(page, told);
    for step in after {
        page.stage(step.change.stage.name());
        page.step(step);
    }
}

fn steps_of(page: &mut Page, stage: Stage, steps: &[Step], otherwise: &str) {
    page.stage(stage.name());
    let mut of_stage = steps.iter().filter(|step| step.change.stage == stage).peekable();
    if of_stage.peek().is_none() {
        page.line(otherwise);
    }
    of_stage.for_each(|step| page.step(step));
}

fn check_stage(page: &mut Page, told: &Explanation) {
    page.stage("check");
    if told.misfits.is_empty() {
        page.line("the schema accepts");
    }
    for Issue { pointer, expected, got, .. } in &told.misfits {
        page.line(&format!("{}: expected {expected}, got {got}", pointer.readable()));
    }
}

fn outcome(page: &mut Page, told: &Explanation) {
    page.stage("outcome");
    let style = match told.outcome {
        "unrepairable" => BAD,
        "repaired" => FAIR,
        _ => GOOD,
    };
    let name = styled(style, told.outcome);
    match (&told.refusal, told.outcome) {
        (Some(refusal), _) => page.line(&format!("{name}: {}", refusal.reason.id())),
        (None, "deferred") => page.line(&format!("{name}: untouched, and the host reads it right")),
        (None, "valid") => page.line(&format!("{name}: untouched, the schema accepts it")),
        (None, _) => page.line(&format!("{name}: checked again, the schema accepts it")),
    }
    if let Some(args) = &told.args {
        page.line(&format!("runs with {args}"));
    }
    if let Some(note) = told.note() {
        page.stage("the model reads");
        page.line(&note);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(tool: &str, input: &str) -> String {
        let context = Context { model: Some("glm-4.6"), ..Context::default() };
        let host = engine::host::HostProfile::from_name("pi-1.5");
        let request = Request { tool, schema: None, config: None, host, context, input };
        let explanation = explain(&request).expect("pi's tools compile");
        anstream::adapter::strip_str(&render(&explanation, &request)).to_string()
    }

    #[test]
    fn every_stage_is_told() {
        let page = told(
            "Edit",
            r#"{"file_path":"a.rs","edits":"[{\"oldText\":\"a\",\"newText\":\"b\",}]",}"#,
        );
        for part in [
            "name.fold-case",
            "read.drop-trailing-comma",
            "owner-hook\n  changed nothing",
            "move /file_path to /path",
            "edits: expected array, got string",
            "schema.read-json-text at edits",
            "repaired: checked again",
        ] {
            assert!(page.contains(part), "no {part} in\n{page}");
        }
    }

    #[test]
    fn untouched_and_refused_calls_are_told() {
        assert!(told("read", r#"{"path":"/x"}"#).contains("valid: untouched"));
        assert!(told("read", r#"{"path":"/x","limit":"5"}"#).contains("deferred: untouched"));
        let cut = told("bash", r#"{"command":"rm -r"#);
        assert!(cut.contains("unrepairable: cut-off") && cut.contains("was not run"), "{cut}");
        assert!(told("frobnicate", "{}").contains("--schema FILE"));
    }

    #[test]
    fn data_has_every_member() {
        let context = Context::default();
        let input = r#"{"filename":"/x"}"#;
        let request =
            Request { tool: "read", schema: None, config: None, host: None, context, input };
        let data = explain(&request).expect("pi's tools compile").to_json();
        assert_eq!(data["args"], json!({"path": "/x"}));
        assert_eq!(data["steps"][0]["args"], data["args"]);
        assert_eq!(data["check"], json!({"after_steps": 1, "misfits": []}));
        assert_eq!(data["refusal"], Value::Null);
    }
}
