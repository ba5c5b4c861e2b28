//! The option `--stop-reason`, with the host's own words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::StopReason;

/// Every word, what it says, and what servers call the same.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("stop", "the model was done", &["end_turn", "eos"]),
    ("toolUse", "the model called a tool", &["tool_use", "tool_calls"]),
    ("length", "a limit cut the answer off", &["max_tokens"]),
    ("error", "the request failed", &[]),
    ("aborted", "somebody stopped it", &[]),
    ("other", "anything else", &[]),
];

/// Reads one of the words; says which there are otherwise.
pub(crate) fn parser() -> impl TypedValueParser<Value = StopReason> {
    let values = WORDS.iter().map(|(word, says, others)| {
        PossibleValue::new(*word).help(*says).aliases(others.iter().copied())
    });
    PossibleValuesParser::new(values).map(|word| StopReason::from_name(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_host_are_read_and_others_refused() {
        let read = |word: &str| {
            let command = clap::Command::new("x");
            parser().parse_ref(&command, None, word.as_ref()).ok()
        };
        assert_eq!(read("stop"), Some(StopReason::Stop));
        assert_eq!(read("tool_use"), Some(StopReason::ToolUse));
        assert_eq!(read("length"), Some(StopReason::Length));
        assert_eq!(read("aborted"), Some(StopReason::Other));
        assert_eq!(read("done"), None);
    }
}
