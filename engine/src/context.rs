//! What is known about a call beside its arguments: model, provider, policy, stop reason, limits.

use std::fmt;

use crate::{Limits, Policy};

/// What is known about one call.
///
/// The default knows nothing: adaptive policy, normal stop, default limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a> {
    /// The model's id as the host names it, such as `moonshotai/kimi-k2-thinking`.
    pub model: Option<&'a str>,
    /// The provider's id, such as `xai`.
    pub provider: Option<&'a str>,
    /// How far repair may go.
    pub policy: Policy,
    /// Why the model stopped.
    pub stop_reason: StopReason,
    /// How much work repair may take.
    pub limits: Limits,
}

/// Why the model stopped, as the server reports it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum StopReason {
    /// The model ended its turn; also assumed where nothing is reported.
    #[default]
    Stop,
    /// The model called tools.
    ToolUse,
    /// The output limit was hit.
    Length,
    /// Anything else: an error, an abort, a filter.
    Other,
}

impl StopReason {
    /// Reads the names that pi and common servers use; an unknown name is [`StopReason::Other`].
    pub fn from_name(name: &str) -> Self {
        match name {
            "stop" | "end_turn" | "eos" => Self::Stop,
            "toolUse" | "tool_use" | "tool_calls" => Self::ToolUse,
            "length" | "max_tokens" => Self::Length,
            _ => Self::Other,
        }
    }

    /// True if the server claims that the answer is whole.
    pub fn is_normal(self) -> bool {
        matches!(self, Self::Stop | Self::ToolUse)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Stop => "stop",
            Self::ToolUse => "toolUse",
            Self::Length => "length",
            Self::Other => "other",
        })
    }
}

/// Which models and providers something is limited to; empty means all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Gate {
    /// Model families, such as `kimi-k2`.
    pub model_families: Vec<String>,
    /// Provider ids, such as `xai`.
    pub providers: Vec<String>,
}

impl Gate {
    /// True if the gate names neither a family nor a provider.
    pub fn is_open(&self) -> bool {
        self.model_families.is_empty() && self.providers.is_empty()
    }

    /// True if the call comes from a named family or provider, or the gate is open.
    ///
    /// A family matches where its name stands in the model's id at the start of a word, ignoring
    /// case: `kimi-k2` matches `moonshotai/Kimi-K2-thinking`.
    pub fn admits(&self, context: &Context<'_>) -> bool {
        self.is_open()
            || context.model.is_some_and(|model| {
                self.model_families.iter().any(|family| names_family(model, family))
            })
            || context.provider.is_some_and(|provider| {
                self.providers.iter().any(|known| known.eq_ignore_ascii_case(provider))
            })
    }
}

/// True if `family` stands in `model` at the start of a word, ignoring ASCII case.
fn names_family(model: &str, family: &str) -> bool {
    let (model, family) = (model.as_bytes(), family.as_bytes());
    !family.is_empty()
        && model.windows(family.len()).enumerate().any(|(start, window)| {
            window.eq_ignore_ascii_case(family)
                && start
                    .checked_sub(1)
                    .and_then(|before| model.get(before))
                    .is_none_or(|byte| !byte.is_ascii_alphanumeric())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_match_at_words() {
        let gate = Gate { model_families: vec!["glm".into()], providers: vec!["xai".into()] };
        let admits =
            |model, provider| gate.admits(&Context { model, provider, ..Context::default() });
        assert!(admits(Some("zai-org/GLM-4.6"), None));
        assert!(!admits(Some("chatglm"), None));
        assert!(!admits(None, None));
        assert!(admits(None, Some("XAI")));
        assert!(Gate::default().admits(&Context::default()));
    }

    #[test]
    fn stop_reasons_have_the_names_of_several_servers() {
        for (shown, names) in [
            ("stop", ["stop", "end_turn", "eos"]),
            ("toolUse", ["toolUse", "tool_use", "tool_calls"]),
            ("length", ["length", "max_tokens", "length"]),
            ("other", ["error", "aborted", ""]),
        ] {
            for name in names {
                assert_eq!(StopReason::from_name(name).to_string(), shown, "{name}");
            }
        }
    }
}
