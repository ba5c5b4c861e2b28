//! What a class of provider errors is made of: rules with their sources, and the advice it carries.

/// What a class means for the request that failed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Consequence {
    /// The context is too long; only a shorter one succeeds.
    Overflow,
    /// The same request may succeed later.
    Transient,
    /// Repeating the same request does not help.
    Fatal,
}

impl Consequence {
    /// The name in records: `overflow`, `transient` or `fatal`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::Transient => "transient",
            Self::Fatal => "fatal",
        }
    }
}

/// One thing that may be seen in an error.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
    /// A regular expression over what the error says, in lower case and with single blanks: the
    /// text around a structured body and the messages inside it, never the rest of a payload.
    Says(&'static str),
    /// An error code: a value of `code`, `type`, `status`, `reason` and the like in a structured
    /// body, or a whole word of the text. A number counts only where it is marked as a code.
    Code(&'static str),
    /// The HTTP status of the answer.
    Status(u16),
    /// The request itself was found at fault: a 4xx status other than 408, 409, 425, 429, 498 and 499, or an
    /// error type that says so.
    RequestFault,
    /// The error names a wait of at most so many seconds.
    WaitAtMost(u64),
    /// The error names a wait of more than so many seconds, or a date that cannot be told to be near.
    WaitOver(u64),
    /// The request went to this provider.
    Provider(&'static str),
}

/// One way to recognise a class.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// `class.what`.
    pub id: &'static str,
    /// Who words it so.
    pub source: &'static str,
    /// At least one of these is seen.
    pub any: &'static [Signal],
    /// All of these are seen as well.
    pub all: &'static [Signal],
    /// None of these is seen.
    pub unless: &'static [Signal],
    /// Errors that this very rule decides.
    pub examples: &'static [&'static str],
}

impl Rule {
    /// A rule with no further conditions.
    pub const fn new(
        id: &'static str,
        source: &'static str,
        any: &'static [Signal],
        examples: &'static [&'static str],
    ) -> Self {
        Self { id, source, any, all: &[], unless: &[], examples }
    }

    /// The rule, if all of `all` are seen as well.
    #[must_use]
    pub const fn all(self, all: &'static [Signal]) -> Self {
        Self { all, ..self }
    }

    /// The rule, unless one of `unless` is seen.
    #[must_use]
    pub const fn unless(self, unless: &'static [Signal]) -> Self {
        Self { unless, ..self }
    }
}

/// A class of provider errors.
///
/// The class of an error is found in three rounds over all classes in table order: by `rules`, which
/// look at wording and specific codes; then by `kinds`, the error types a provider gives to many
/// errors; then by `statuses`. So wording beats a generic type, and a type beats a status
/// unless it says no more than that the request failed.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// The name; also the file stem.
    pub id: &'static str,
    /// What it means for the request.
    pub consequence: Consequence,
    /// What happened, as the end of a sentence that begins with "The previous request failed: ".
    pub says: &'static str,
    /// What a note tells the model to do.
    pub advice: &'static str,
    /// What a note tells instead once another model is in use.
    pub advice_switched: &'static str,
    /// True if a note says to go on as before, since the request was not at fault.
    pub note_says_retry: bool,
    /// In order; the first that applies decides.
    pub rules: &'static [Rule],
    /// Generic error types, with the provider or server that uses them.
    pub kinds: &'static [(&'static str, &'static str)],
    /// HTTP statuses.
    pub statuses: &'static [u16],
}
