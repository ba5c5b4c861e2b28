//! A call as a name with a JSON object behind it, written into the name, is taken apart.

use super::tokens::{self, Residue};
use super::{Load, NameError, NameExample, NameRule, Names, Step, object};

pub(super) const RULE: NameRule = NameRule {
    id: "name.lift-call",
    fires: "a JSON object of arguments follows the name, in parentheses, bare or behind a token",
    note: "Called `{tool}` with the arguments found in the name: send them as arguments.",
    examples: &[
        NameExample::lifted(r#"read({"path":"a.md"})"#, "read", r#"{"path":"a.md"}"#),
        NameExample::lifted(
            r#"functions.Read {"path":"a}.md"}</tool_call>"#,
            "read",
            r#"{"path":"a}.md"}"#,
        ),
        NameExample::lifted(r#"bash[ARGS]{"command":"ls"}"#, "bash", r#"{"command":"ls"}"#),
        NameExample::lifted(
            r#"functions.ls:0<|tool_call_argument_begin|>{"path":"."}<|tool_call_end|>"#,
            "ls",
            r#"{"path":"."}"#,
        ),
        NameExample::lifted(
            r"find<|channel|>commentary <|constrain|>json<|message|>{}<|call|>",
            "find",
            "{}",
        ),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    let Some((head, rest)) = names.split_at_bracket(name) else { return Ok(None) };
    Ok(load(rest, names).map(|load| Step::with(head, load)))
}

fn load(rest: &str, names: &Names<'_>) -> Option<Load> {
    if let Some(inside) = rest.strip_prefix('(').map(str::trim_start) {
        let may_be_call = inside.is_empty() || inside.starts_with('{');
        return may_be_call.then(|| object::lift(inside, names, closes_parenthesis));
    }
    if rest.starts_with('{') {
        return Some(object::lift(rest, names, tokens::ends_call));
    }
    match tokens::residue(rest)? {
        Residue::Payload(payload) => Some(object::lift(payload, names, tokens::ends_call)),
        Residue::Tokens { .. } | Residue::CutOff => None,
    }
}

fn closes_parenthesis(tail: &str) -> bool {
    tail.trim_start().strip_prefix(')').is_some_and(tokens::ends_call)
}
