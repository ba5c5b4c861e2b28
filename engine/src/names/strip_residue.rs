//! Chat-template tokens behind the name go, if nothing but tokens and their header words is there.

use super::tokens::{self, Residue};
use super::{Load, NameError, NameExample, NameRule, Names, Step};

pub(super) const RULE: NameRule = NameRule {
    id: "name.strip-residue",
    fires: "only chat-template tokens follow the name",
    note: "Called `{tool}`: template tokens do not belong in the tool name.",
    examples: &[
        NameExample::plain("write<|channel|>commentary", "write"),
        NameExample::plain("functions.Bash<|channel|>commentary <|constrain|>json", "bash"),
        NameExample::plain("ls</arg_value>", "ls"),
        NameExample::plain("read[ARGS]", "read"),
        NameExample::plain("find<｜tool▁sep｜>", "find"),
        NameExample::plain("read:0<|tool_call_end|>", "read"),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    let Some((head, rest)) = names.split_at_bracket(name) else { return Ok(None) };
    let load = match tokens::residue(rest) {
        Some(Residue::Tokens { announced: false }) => Load::Nothing,
        Some(Residue::Tokens { announced: true }) => Load::Announced,
        Some(Residue::CutOff) => Load::CutOff,
        Some(Residue::Payload(_)) | None => return Ok(None),
    };
    Ok(Some(Step::with(head, load)))
}
