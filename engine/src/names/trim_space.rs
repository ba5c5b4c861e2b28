//! White space around the name goes.

use super::{NameError, NameExample, NameRule, Names, Step};

pub(super) const RULE: NameRule = NameRule {
    id: "name.trim-space",
    fires: "white space surrounds the name",
    note: "Called `{tool}`: send the tool name without white space around it.",
    examples: &[
        NameExample::plain(" read\n", "read"),
        NameExample::plain("functions. read", "read"),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, _: &Names<'_>) -> Result<Option<Step>, NameError> {
    let trimmed = name.trim();
    Ok((trimmed.len() < name.len() && !trimmed.is_empty()).then(|| Step::to(trimmed)))
}
