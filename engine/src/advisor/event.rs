//! What an advisor hears of a session: messages and events, as far as they matter to it.

/// What stands for an error where the user's abort signal was raised: the runtime's words and the clients'.
const ABORTS: [&str; 3] =
    ["This operation was aborted", "The operation was aborted", "Request was aborted"];

/// Why an assistant message ended.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Ending {
    /// The answer was complete.
    #[default]
    Stop,
    /// The model called tools.
    ToolUse,
    /// The answer was cut for length.
    Length,
    /// The request failed.
    Error,
    /// The user stopped it.
    Aborted,
}

impl Ending {
    /// The ending of the host's `stopReason`; an unknown one counts as a complete answer.
    pub fn from_name(name: &str) -> Self {
        match name {
            "toolUse" => Self::ToolUse,
            "length" => Self::Length,
            "error" => Self::Error,
            "aborted" => Self::Aborted,
            _ => Self::Stop,
        }
    }

    /// The ending of a host's answer, from its `stopReason` and `errorMessage`.
    ///
    /// Hosts from 0.85 until 1.6 report a run that was stopped before its request as an error that says what the
    /// runtime says of a raised abort signal; that is an abort, as are the client libraries' words for one.
    pub fn of_answer(stop_reason: &str, error: &str) -> Self {
        match Self::from_name(stop_reason) {
            Self::Error if ABORTS.contains(&error.trim().trim_end_matches('.')) => Self::Aborted,
            ending => ending,
        }
    }

    /// The host's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolUse => "toolUse",
            Self::Length => "length",
            Self::Error => "error",
            Self::Aborted => "aborted",
        }
    }
}

/// A model of a provider.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Model {
    /// The provider's id.
    pub provider: String,
    /// The model's id.
    pub id: String,
}

/// Tokens of one answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Usage {
    /// What went in, cached or not.
    pub input: u64,
    /// What came out.
    pub output: u64,
    /// The model's context window; 0 if not known.
    pub window: u64,
}

/// A message of the assistant.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Assistant {
    /// Why it ended.
    pub ending: Ending,
    /// The text of the failure; empty if there is none.
    pub error: String,
    /// The HTTP status of the failure, if the host knows it.
    pub status: Option<u16>,
    /// Who answered.
    pub model: Option<Model>,
    /// When, in milliseconds since 1970; 0 if not known, which counts as just now.
    pub at_ms: u64,
    /// Tokens, if the host counted them.
    pub usage: Option<Usage>,
}

/// A message of the context of a request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Message {
    /// The assistant's.
    Assistant(Assistant),
    /// A summary that stands for earlier messages.
    Summary,
    /// Anything else: the user, tool results, notes of others.
    Other,
}

/// Why a conversation was compacted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CompactReason {
    /// The user asked for it.
    Manual,
    /// The context filled up; no request has failed.
    Threshold,
    /// A request did not fit, as the host sees it.
    Overflow,
}

/// What happens in a session.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum HostEvent {
    /// `message_end` of a user message.
    UserEnd,
    /// `message_end` of an assistant message.
    AssistantEnd(Assistant),
    /// `session_before_compact`.
    BeforeCompact {
        /// Why.
        reason: CompactReason,
        /// The host means to repeat the request afterwards.
        will_retry: bool,
    },
    /// The signal of `session_before_compact` was raised: the user stopped the compaction.
    CompactAborted,
    /// `session_compact`: it is done.
    Compacted {
        /// Why.
        reason: CompactReason,
        /// The host repeats the request now.
        will_retry: bool,
    },
    /// `session_compact_failed`, from 0.84.3 on; it may come twice for one failure.
    CompactFailed {
        /// Why it was begun.
        reason: CompactReason,
        /// The user, or an extension, stopped it.
        aborted: bool,
        /// What the host says; empty if nothing.
        error: String,
    },
    /// `agent_settled`: nothing follows before the next prompt.
    Settled {
        /// The user stopped the run, as far as the host tells (from 1.3.0).
        aborted: bool,
    },
    /// `command_end` of a slash command.
    CommandEnd {
        /// The command's name.
        name: String,
        /// Its failure; empty if it did not fail.
        error: String,
    },
    /// Another session begins, or this one ends: all is forgotten.
    Reset,
}

/// The circumstances of the request that is about to be sent.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct AdvisorContext {
    /// The clock, in milliseconds since 1970.
    pub now_ms: u64,
    /// The model that will be asked.
    pub model: Option<Model>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_bear_the_names_of_the_host() {
        for (ending, name) in [
            (Ending::Stop, "stop"),
            (Ending::ToolUse, "toolUse"),
            (Ending::Length, "length"),
            (Ending::Error, "error"),
            (Ending::Aborted, "aborted"),
        ] {
            assert_eq!((ending.name(), Ending::from_name(name)), (name, ending));
        }
        assert_eq!(Ending::from_name("pause"), Ending::Stop);
    }

    #[test]
    fn an_error_that_words_an_abort_is_one() {
        for (reason, error, wanted) in [
            ("error", "This operation was aborted", Ending::Aborted),
            ("error", " Request was aborted. ", Ending::Aborted),
            ("error", "Request was aborted by the gateway", Ending::Error),
            ("stop", "Request was aborted", Ending::Stop),
        ] {
            assert_eq!(Ending::of_answer(reason, error), wanted, "{reason}: {error}");
        }
    }
}
