//! A namespace that chat templates put before every tool name goes.

use super::{NameError, NameExample, NameRule, Names, Step};

/// Namespaces that model vendors' own templates use for all tools, never those of a foreign product.
const PREFIXES: &[&str] = &[
    // OpenAI's and Kimi's tool namespace, and its singular.
    "functions.",
    "functions:",
    "function.",
    "function:",
    "tools.",
    "tools:",
    "tool.",
    "tool:",
    // Gemini's.
    "default_api.",
    "default_api:",
];

pub(super) const RULE: NameRule = NameRule {
    id: "name.strip-prefix",
    fires: "a namespace of a chat template precedes the name",
    note: "Called `{tool}`: send the tool name without a namespace.",
    examples: &[
        NameExample::plain("functions.read", "read"),
        NameExample::plain("default_api:grep", "grep"),
    ],
    apply,
};

#[expect(clippy::unnecessary_wraps, reason = "all rules share one signature")]
fn apply(name: &str, _: &Names<'_>) -> Result<Option<Step>, NameError> {
    let bare = PREFIXES.iter().find_map(|prefix| {
        let (namespace, bare) = name.split_at_checked(prefix.len())?;
        (namespace.eq_ignore_ascii_case(prefix) && !bare.is_empty()).then_some(bare)
    });
    Ok(bare.map(Step::to))
}
