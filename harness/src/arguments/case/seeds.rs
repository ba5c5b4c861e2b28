//! Cases grown from written-down calls: the examples of the engine's own tables, and one call for each refusal.

use engine::names::{NAME_RULES, NameExample};
use engine::preprocess::KINDS;
use engine::reader::LIBERTIES;
use engine::rules::RULES;
use engine::{Grade, Policy};
use serde_json::{Value, json};

use super::{Case, Intent};
use crate::generate::{Subject, hostile};
use crate::malform::{Call, Form};
use crate::source::{Choose, Source};

/// A call that is refused, by the id of the reason.
#[derive(Clone, Copy, Debug)]
pub struct RefusalSeed {
    /// The reason's id.
    pub reason: &'static str,
    /// One of pi's tools, or the schema of a made-up one.
    pub tool: &'static str,
    /// The arguments as text; a value where that is JSON and `text` is false.
    pub input: &'static str,
    /// Whether the arguments arrive as text.
    pub text: bool,
}

const fn text(reason: &'static str, tool: &'static str, input: &'static str) -> RefusalSeed {
    RefusalSeed { reason, tool, input, text: true }
}

const fn value(reason: &'static str, tool: &'static str, input: &'static str) -> RefusalSeed {
    RefusalSeed { reason, tool, input, text: false }
}

const UNION: &str = r#"{"type":"object","required":["v"],"properties":{"v":{"anyOf":[{"type":"object","required":["x"],"properties":{"x":{"type":"number"}}},{"type":"object","required":["x"],"properties":{"x":{"type":"array","items":{"type":"string"}}}}]}}}"#;
const LIST: &str =
    r#"{"type":"object","properties":{"include":{"type":"array","items":{"type":"string"}}}}"#;

/// Calls that are refused, at least one for each reason that damage alone seldom reaches.
pub const REFUSAL_SEEDS: &[RefusalSeed] = &[
    value("ambiguous-union", UNION, r#"{"v":{"x":"5"}}"#),
    value("ambiguous-union", UNION, r#"{"v":{"x":"12"}}"#),
    value("ambiguous-list", LIST, r#"{"include":"a,b"}"#),
    value("ambiguous-list", LIST, r#"{"include":"a|b c"}"#),
    value("not-plain", "read", r#""<b>x</b>""#),
    text("not-plain", "bash", "<tool_call>ls"),
    value("damaged-path", "read", r#"{"path":"C:\\dir\u0001x"}"#),
    value("damaged-path", "write", r#"{"path":"C:\u0007pp\\x","content":"a"}"#),
    value("ambiguous-envelope", "read", r#"{"arguments":{"path":"a"},"extra":1}"#),
    value("ambiguous-envelope", "bash", r#"{"input":{"command":"ls"},"why":"look"}"#),
    value("foreign-field", "write", r#"{"path":"a","text":"x","insert_line":3}"#),
    value("foreign-field", "bash", r#"{"cmd":"git","args":["push"]}"#),
    value("fold-conflict", "edit", r#"{"path":"a","oldText":"x","old_string":"y","newText":"z"}"#),
    value("fold-conflict", "edit", r#"{"path":"a","edits":"none","oldText":"x","newText":"z"}"#),
    value("conflicting-aliases", "read", r#"{"file_path":"a","filename":"b"}"#),
    value("lossy-conversion", "read", r#"{"path":null}"#),
    value("lossy-conversion", "grep", r#"{"pattern":"x","literal":1}"#),
    text("inexact-number", "read", r#"{"path":"a","limit":1e400,"offset":null}"#),
    text("inexact-number", "read", r#"{"file":"a","limit":12345678901234567890123}"#),
    text("lone-surrogate", "read", r#"{"path":"a\ud83d"}"#),
    text("duplicate-key", "read", r#"{"path":"a","path":"b"}"#),
    text("two-values", "read", r#"{"path":"a"}{"path":"b"}"#),
    text("ambiguous-escape", "bash", r#"{"command":"grep \w \n x"}"#),
    text("unreadable", "read", r#"{"path":"a"]"#),
    text("cut-off", "bash", r#"{"command":"rm -r"#),
    text("withheld", "bash", r#"{"command":"ls""#),
    text("too-deep", "ls", "\u{5b}"),
    value("misfit", "read", r#"{"limit":5}"#),
];

/// Draws a case from an example or a seed; half of the texts are then mutated.
pub(super) fn draw(source: &mut dyn Source) -> Case {
    let mut case = match source.weighted(&[3, 4, 4, 5]) {
        0 => rule_example(source),
        1 => kind_example(source),
        2 => liberty_example(source),
        _ => refusal(source),
    };
    case.surround(source);
    if case.intent == Intent::Unknown && source.chance(1, 8) {
        case.policy = Policy::Conservative;
    }
    if source.chance(1, 4) {
        case.intent = Intent::Unknown;
        let text = hostile::mutate(source, case.call.as_text());
        case.call.form = Form::Text(text);
    }
    case
}

/// Sends the name as an example of the engine's name rules has it, where one leads to this tool.
pub(super) fn rename(call: &mut Call, source: &mut dyn Source) {
    let fits = |example: &&NameExample| example.tool == call.subject.name;
    let rules: Vec<Vec<&NameExample>> = NAME_RULES
        .iter()
        .map(|rule| rule.examples.iter().filter(fits).collect())
        .filter(|examples: &Vec<_>| !examples.is_empty())
        .collect();
    if !rules.is_empty() {
        let examples = source.pick(&rules);
        source.pick(examples).name.clone_into(&mut call.name);
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("tables hold JSON")
}

/// A case about a made-up tool of this schema and configuration.
fn made_up(schema: Value, config: Value, form: Form, meant: Option<Value>) -> Case {
    let subject = Subject::bare("example", schema);
    let intent = if meant.is_some() { Intent::Exact } else { Intent::Unknown };
    let mut call = Call::new(subject, meant.unwrap_or(Value::Null));
    call.form = form;
    let mut case = Case::about(call, intent);
    case.config = Some(config);
    case
}

fn rule_example(source: &mut dyn Source) -> Case {
    let rule = source.pick(RULES);
    let example = source.pick(rule.examples);
    let form = Form::Value(parse(example.before));
    let mut case = made_up(parse(example.schema), json!({}), form, Some(parse(example.after)));
    case.call.conservative = rule.grade == Grade::Exact;
    case
}

fn kind_example(source: &mut dyn Source) -> Case {
    let kind = source.pick(KINDS);
    let config = json!({"preprocessors": [parse(kind.example.entry)]});
    let form = Form::Value(parse(kind.example.before));
    let mut case =
        made_up(parse(kind.example.schema), config, form, Some(parse(kind.example.after)));
    case.call.conservative = kind.grade == Grade::Exact;
    case.call.model = Some("glm-4.6".to_owned());
    case.call.provider = Some("xai".to_owned());
    case
}

fn liberty_example(source: &mut dyn Source) -> Case {
    let liberty = *source.pick(LIBERTIES);
    let (text, read) = *source.pick(liberty.examples);
    let form = Form::Text(text.to_owned());
    let mut case = made_up(json!({}), json!({}), form, Some(parse(read)));
    case.call.conservative = !liberty.truncation;
    case
}

fn refusal(source: &mut dyn Source) -> Case {
    let seed = source.pick(REFUSAL_SEEDS);
    let form = if seed.reason == "too-deep" {
        Form::Text(seed.input.repeat(source.range(129, 400) as usize))
    } else if seed.text {
        Form::Text(seed.input.to_owned())
    } else {
        Form::Value(parse(seed.input))
    };
    if seed.tool.starts_with('{') {
        return made_up(parse(seed.tool), json!({}), form, None);
    }
    let subject = super::builtins().iter().find(|known| known.name == seed.tool);
    let mut call = Call::new(subject.expect("a tool of pi").clone(), Value::Null);
    call.form = form;
    Case::about(call, Intent::Unknown)
}
