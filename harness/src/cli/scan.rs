//! `pi-repair scan`: calls that a model printed as text, and what would become of them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::grammar::{
    Action, GATES, Grammar, GrammarConfig, Handled, MODES, Message, Mode, State, Treatment,
    UnknownTools, treat,
};
use engine::{Context, Policy, REASONS, Registry, StopReason, Tool, ToolSpec, builtin};
use serde_json::{Map, Value, json};

use super::files;
use super::out::{self, BAD, DIM, FAIR, Failure, GOOD, HEAD, styled};
use super::stop;

/// Find calls that a model printed as text, and tell what would become of them
///
/// Reads one message of an assistant. For every leak: its place, family and spelling, whether it
/// would run, and if not, every gate that is closed. Code and quotations are passed over.
///
/// What is done about a leak: `promoted`, it is removed and its calls run; `removed`, it is taken out
/// and nothing runs; `observed`, it is only reported, as the mode says; `preserved`, it stays, since it
/// may be data: an example, a mention, or a call of a tool that nobody has; `left alone`, it stays,
/// since removing it would join its two sides into a new marker. With --json, `start` and `end` are
/// bytes of the text, `end` the first one behind the leak; lines and columns count from 1.
///
/// Exit status: 0 if nothing was found, or everything found would go; 1 if something stays
/// (`observed`, `preserved`, `left alone`), also with --json and --apply; 2 if a file or an option
/// cannot be used.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The message's text; standard input if absent or `-`
    file: Option<PathBuf>,
    /// Tools as JSON: `{"name": schema, …}` or `[{"name": …, "parameters": schema}, …]`; pi's own if absent
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// What is done about leaks
    #[arg(long, default_value = "recover", value_parser = modes())]
    mode: Mode,
    /// The model's id, such as qwen3-coder; some families need it
    #[arg(long)]
    model: Option<String>,
    /// The provider's id, such as xai
    #[arg(long)]
    provider: Option<String>,
    /// Why the model stopped; calls run only after `stop`
    #[arg(long, default_value = "stop", value_parser = stop::parser())]
    stop_reason: StopReason,
    /// Remove blocks of unknown tools, too
    #[arg(long)]
    strip_unknown: bool,
    /// Look for this family only; may be given more than once
    #[arg(long = "family", value_name = "ID")]
    families: Vec<String>,
    /// Print the text as it would be, and nothing else; byte for byte where nothing is removed
    #[arg(long, conflicts_with = "json")]
    apply: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is said where nobody looked.
const OFF: &str = "the mode is `off`: nothing was looked for, and the text stays as it is";

const EXAMPLES: &str = "\
Examples:
  pi-repair scan answer.md
  echo '<tool_call>{\"name\":\"ls\",\"arguments\":{}}</tool_call>' | pi-repair scan
  pi-repair scan --model kimi-k2 --tools tools.json --json < answer.txt
  pi-repair scan --mode strip --apply answer.md > clean.md";

/// Reads a mode; says which there are otherwise.
fn modes() -> impl TypedValueParser<Value = Mode> {
    let values = MODES.iter().map(|(mode, name)| PossibleValue::new(*name).help(mode.says()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Mode>())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("-"));
    let text = files::read(&path)?;
    let tools = args.tools.as_deref().map(files::read_json).transpose()?;
    let registry = registry(tools.as_ref())?;
    let unknown_tools =
        if args.strip_unknown { UnknownTools::Strip } else { UnknownTools::Preserve };
    let families = (!args.families.is_empty()).then(|| args.families.clone());
    let config = GrammarConfig {
        mode: Some(args.mode),
        unknown_tools,
        families,
        ..GrammarConfig::default()
    };
    let grammar = Grammar::new(config)?;
    let context = Context {
        model: args.model.as_deref(),
        provider: args.provider.as_deref(),
        policy: Policy::Recover,
        stop_reason: args.stop_reason,
        ..Context::default()
    };
    let texts = [text.as_str()];
    let message = Message { assistant: true, texts: &texts, ..Message::default() };
    let found = treat(&message, &grammar, &registry, &context);
    let stdin = path.as_os_str() == "-";
    let name = if stdin { "standard input".to_owned() } else { path.display().to_string() };
    if args.json {
        out::say_json(&data(&found, &text))?;
    } else if args.apply {
        out::say_raw(found.texts.first().and_then(Option::as_deref).unwrap_or(&text))?;
    } else {
        let page = render(&found, &text, &name);
        out::say(if args.mode == Mode::Off { OFF } else { &page })?;
    }
    let stays = found.leaks.iter().any(|leak| leak.action < Action::Removed);
    Ok(ExitCode::from(u8::from(stays)))
}

/// The tools of a file, or pi's own.
fn registry(tools: Option<&Value>) -> Result<Registry, Failure> {
    let shape = "give {\"name\": schema, …} or [{\"name\": …, \"parameters\": schema}, …]";
    let specs: Vec<(String, Value)> = match tools {
        None => {
            let own = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
            return Ok(Registry::new(own)?);
        }
        Some(Value::Object(map)) => map.clone().into_iter().collect(),
        Some(Value::Array(list)) => {
            let named = |tool: &Value| {
                let tool = tool.get("function").unwrap_or(tool);
                let schema = ["parameters", "inputSchema", "input_schema", "schema"];
                let schema = schema.iter().find_map(|key| tool.get(*key)).cloned();
                let open = || Value::Object(Map::new());
                Some((tool.get("name")?.as_str()?.to_owned(), schema.unwrap_or_else(open)))
            };
            let named: Option<Vec<_>> = list.iter().map(named).collect();
            named.ok_or_else(|| Failure(format!("a tool has no name; {shape}")))?
        }
        Some(_) => return Err(Failure(format!("the tools are neither object nor list; {shape}"))),
    };
    let compiled = specs.into_iter().map(|(name, schema)| {
        let config = builtin::config_for(&name, &schema)?;
        Tool::compile(ToolSpec { name, schema, config, ..ToolSpec::default() })
    });
    Ok(Registry::new(compiled.collect::<Result<Vec<_>, _>>()?)?)
}

/// Line and column of bytes, both counted from 1, columns in characters. Asked in order, it passes the text once.
struct Places<'t> {
    text: &'t str,
    at: usize,
    place: (usize, usize),
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, place: (1, 1) }
    }

    fn of(&mut self, at: usize) -> (usize, usize) {
        if at < self.at {
            *self = Self::new(self.text);
        }
        let passed = self.text.get(self.at..at).unwrap_or_default();
        let (line, column) = self.place;
        self.at = at;
        self.place = match passed.rsplit_once('\n') {
            None => (line, column + passed.chars().count()),
            Some((lines, last)) => {
                (line + lines.matches('\n').count() + 1, last.chars().count() + 1)
            }
        };
        self.place
    }
}

fn render(found: &Treatment, text: &str, name: &str) -> String {
    if found.leaks.is_empty() {
        return styled(DIM, "no call was found (code and quotations are passed over)");
    }
    let (mut lines, mut places) = (Vec::new(), Places::new(text));
    for leak in &found.leaks {
        let (line, column) = places.of(leak.range.start);
        let style = match leak.action {
            Action::Promoted => GOOD,
            Action::Removed => FAIR,
            Action::Observed | Action::Preserved | Action::LeftAlone => BAD,
        };
        let place = styled(HEAD, format!("{name}:{line}:{column}"));
        let bytes = leak.range.len();
        let what = what(leak);
        let action = styled(style, leak.action.name().replace('-', " "));
        lines.push(format!("{place} {}, {what}, {bytes} bytes: {action}", leak.family));
        let first = found.calls.partition_point(|call| call.range.start < leak.range.start);
        let runs = found.calls.iter().skip(first);
        for call in runs.take_while(|call| call.range == leak.range) {
            lines.push(format!("  runs {} {}", call.tool, call.args));
            let notes =
                call.changes.iter().map(|change| format!("    {}: {}", change.rule, change.note));
            lines.extend(notes);
        }
        lines.extend(reasons(leak).into_iter().map(|reason| format!("  {reason}")));
    }
    lines.join("\n")
}

/// What stands there, in words.
fn what(leak: &Handled) -> String {
    match leak.state {
        State::Whole => leak.spelling.to_owned(),
        State::Damaged(why) => format!("damaged ({why})"),
        State::CutOff => "cut off".to_owned(),
        State::Dangling => "a marker alone".to_owned(),
        State::Unread => "between markers, in no known spelling".to_owned(),
        State::CutMarker => "a cut marker".to_owned(),
    }
}

/// Why nothing runs, one sentence a gate.
fn reasons(leak: &Handled) -> Vec<String> {
    let gates = leak.closed.iter().filter_map(|id| GATES.iter().find(|gate| gate.id == *id));
    let mut reasons: Vec<String> =
        gates.map(|gate| format!("does not run: {} ({})", gate.says, gate.id)).collect();
    let refused = leak.refused.iter().filter_map(|id| REASONS.iter().find(|row| row.0 == *id));
    reasons.extend(refused.map(|(id, says)| format!("  {says} ({id})")));
    match leak.action {
        Action::Preserved => {
            reasons.push("stays: it may be something else than a call of a known tool".to_owned());
        }
        Action::LeftAlone => {
            reasons.push("stays: removing it would make a new marker of its two sides".to_owned());
        }
        Action::Observed | Action::Removed | Action::Promoted => {}
    }
    reasons
}

fn data(found: &Treatment, text: &str) -> Value {
    let mut places = Places::new(text);
    let leaks = found.leaks.iter().map(|leak| {
        let (line, column) = places.of(leak.range.start);
        json!({
            "line": line,
            "column": column,
            "start": leak.range.start,
            "end": leak.range.end,
            "family": leak.family,
            "spelling": leak.spelling,
            "state": leak.state.name(),
            "tools": leak.tools,
            "action": leak.action.name(),
            "closed": leak.closed,
            "refused": leak.refused,
        })
    });
    let calls = found.calls.iter().map(|call| {
        let changes =
            call.changes.iter().map(|change| json!({"rule": change.rule, "note": change.note}));
        json!({
            "name": call.tool,
            "arguments": call.args,
            "changes": changes.collect::<Vec<_>>(),
            "family": call.family,
            "start": call.range.start,
        })
    });
    json!({
        "leaks": leaks.collect::<Vec<_>>(),
        "calls": calls.collect::<Vec<_>>(),
        "text": found.texts.first().and_then(Option::as_deref),
        "steps": found.steps,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (String, Value) {
        let grammar = Grammar::new(GrammarConfig::default()).expect("is ready");
        let registry = registry(None).expect("pi's tools compile");
        let texts = [text];
        let message = Message { assistant: true, texts: &texts, ..Message::default() };
        let context = Context { policy: Policy::Recover, ..Context::default() };
        let found = treat(&message, &grammar, &registry, &context);
        let page = render(&found, text, "a.md");
        (anstream::adapter::strip_str(&page).to_string(), data(&found, text))
    }

    #[test]
    fn places_actions_and_reasons_are_told() {
        let text = "ä <tool_call>{\"name\":\"read\",\"arguments\":{\"file_path\":\"/x\"}}</tool_call>\n\
                    \n<tool_call>{\"name\":\"fly\"}</tool_call>";
        let (page, data) = told(text);
        for part in [
            "a.md:1:3 hermes, canonical",
            "runs read {\"path\":\"/x\"}",
            "a.md:3:1 hermes",
            "(tool-active)",
            "stays: it may be something else",
        ] {
            assert!(page.contains(part), "no {part} in\n{page}");
        }
        assert_eq!(data["calls"][0]["arguments"], json!({"path": "/x"}));
        assert_eq!(data["leaks"][1]["action"], "preserved");
        assert!(told("plain").0.contains("no call"));
        let mut places = Places::new("ab\nä\n\nx");
        let all = [0, 1, 2, 3, 5, 6, 7, 1].map(|at| places.of(at));
        assert_eq!(all, [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (4, 1), (1, 2)]);
    }

    #[test]
    fn tools_come_in_two_shapes() {
        for tools in
            [json!({"web": {}}), json!([{"type": "function", "function": {"name": "web"}}])]
        {
            assert_eq!(registry(Some(&tools)).expect("compiles").names(), ["web"]);
        }
        assert!(registry(Some(&json!([{}]))).is_err());
    }
}
