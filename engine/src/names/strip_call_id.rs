//! The call number that Kimi models write behind the name goes.

use super::{NameError, NameExample, NameRule, Names, Step};

/// Digits of a call number; more of them are not a count of calls.
const DIGITS_MAX: usize = 4;

pub(super) const RULE: NameRule = NameRule {
    id: "name.strip-call-id",
    fires: "a colon and a call number follow the name",
    note: "Called `{tool}`: send the tool name without the call number.",
    examples: &[
        NameExample::plain("read:0", "read"),
        NameExample::plain("functions.bash:12", "bash"),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, _: &Names<'_>) -> Result<Option<Step>, NameError> {
    Ok(name.rsplit_once(':').filter(is_numbered).map(|(head, _)| Step::to(head)))
}

fn is_numbered((head, number): &(&str, &str)) -> bool {
    // A bracket or token before the colon is not the end of a name.
    let follows_name =
        head.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '-'));
    let is_count = (1..=DIGITS_MAX).contains(&number.len());
    follows_name && is_count && number.bytes().all(|byte| byte.is_ascii_digit())
}
