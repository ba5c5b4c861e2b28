//! A foreign name that the owner mapped to a registered tool is that tool.

use super::{NameError, NameExample, NameRule, Names, Step};

pub(super) const RULE: NameRule = NameRule {
    id: "name.use-alias",
    fires: "the owner configured the name as an alias of a registered tool",
    note: "Called `{tool}`: that is the tool's name here.",
    examples: &[
        NameExample::plain("read_file", "read"),
        NameExample::plain("functions.read_file", "read"),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, names: &Names<'_>) -> Result<Option<Step>, NameError> {
    let target = names.aliases.get(name).filter(|target| names.is_known(target));
    Ok(target.map(|target| Step::to(target)))
}
