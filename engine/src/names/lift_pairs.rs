//! A call in GLM's key and value tags, written into the name, is taken apart.

use serde_json::{Map, Value};

use super::tokens;
use super::{Load, NameError, NameExample, NameRule, Names, Step};

const KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
const VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");

pub(super) const RULE: NameRule = NameRule {
    id: "name.lift-pairs",
    fires: "complete key and value tags follow the name",
    note: "Called `{tool}` with the arguments found in the name: send them as arguments.",
    examples: &[
        NameExample::lifted(
            "read<arg_key>path</arg_key><arg_value>a.md</arg_value>",
            "read",
            r#"{"path":"a.md"}"#,
        ),
        NameExample::lifted(
            "Grep\n<arg_key>pattern</arg_key>\n<arg_value>x\n</arg_value>\n<arg_key>path</arg_key>\n<arg_value></arg_value>\n</tool_call>",
            "grep",
            r#"{"pattern":"x\n","path":""}"#,
        ),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    let Some((head, rest)) = names.split_at_bracket(name) else { return Ok(None) };
    let begins = rest.starts_with(KEY.0) || KEY.0.starts_with(rest);
    Ok(begins.then(|| Step::with(head, pairs(rest).unwrap_or(Load::CutOff))))
}

/// Reads pairs up to the end of the text; `None` if one of them is not whole.
fn pairs(mut rest: &str) -> Option<Load> {
    let mut arguments = Map::new();
    while rest.starts_with(KEY.0) {
        let (key, after_key) = tagged(rest, KEY)?;
        let (value, after_value) = tagged(after_key.trim_start(), VALUE)?;
        let value = Value::String(value.to_owned());
        let before = arguments.insert(key.trim().to_owned(), value.clone());
        if before.is_some_and(|before| before != value) {
            return Some(Load::Conflict);
        }
        rest = after_value.trim_start();
    }
    tokens::ends_call(rest).then_some(Load::Arguments(Value::Object(arguments)))
}

/// The text between two tags at the front, and what follows.
fn tagged<'t>(text: &'t str, (open, close): (&str, &str)) -> Option<(&'t str, &'t str)> {
    let (inside, after) = text.strip_prefix(open)?.split_once(close)?;
    // A tag inside means that a closing tag was lost, or belongs to the value: where it ends is a guess.
    let is_whole = ![KEY.0, KEY.1, VALUE.0, VALUE.1].iter().any(|tag| inside.contains(tag));
    is_whole.then_some((inside, after))
}
