//! The file format of a regression, to be written by whoever finds a failure.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, IntoDeserializer, SeqAccess, Visitor},
};

/// A regression as it is written; every key of the file and nothing else.
///
/// Whoever finds a failure fills this and prints [`RegressionFile::to_toml`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionFile {
    /// What went wrong, in one sentence.
    pub why: String,
    /// Where it was seen: a seed and case number, or a report.
    pub found: String,
    /// Name of the tool; one of the host's own where there is no `schema`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// JSON text of the tool's schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// JSON text of further configuration: `preprocessors`, `limits`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Model id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Provider id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Policy profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// Why the message ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Whether the host's own argument hook of this tool runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub owner_hook: bool,
    /// Argument text as the model sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Recipe of an argument text, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_recipe: Option<String>,
    /// JSON text of the value that reached the hook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Recipe of such a value, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_recipe: Option<String>,
    /// The right answer, or all that are right; none if only the invariants are to hold.
    #[serde(default, skip_serializing_if = "Many::is_empty")]
    pub expect: Many<Answer>,
    /// JSON text of the arguments of a repair, or all texts that are right.
    #[serde(default, skip_serializing_if = "Many::is_empty")]
    pub args: Many<String>,
    /// Recipe of the arguments of a repair, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args_recipe: Option<String>,
    /// Id of the reason of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A stage that a change of the repair must name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// Words that the refusal must contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<String>,
    /// Texts that nothing bound for telemetry may contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canaries: Vec<String>,
}

impl RegressionFile {
    /// The file's text, ready to be pasted.
    ///
    /// # Panics
    ///
    /// Never: strings, lists of strings and one flag always have a TOML form.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("strings and flags have a TOML form")
    }
}

/// One entry, or a list of alternatives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Many<T> {
    /// Exactly this.
    One(T),
    /// Any of these.
    Any(Vec<T>),
}

impl<T> Many<T> {
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        matches!(self, Many::Any(entries) if entries.is_empty())
    }

    /// All entries.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Many::One(entry) => vec![entry],
            Many::Any(entries) => entries,
        }
    }
}

impl<T> Default for Many<T> {
    fn default() -> Self {
        Many::Any(Vec::new())
    }
}

/// By hand, since the derived form would not say which entries there are.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ManyVisitor(PhantomData))
    }
}

struct ManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ManyVisitor<T> {
    type Value = Many<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or a list of strings")
    }

    fn visit_str<E: de::Error>(self, entry: &str) -> Result<Many<T>, E> {
        T::deserialize(entry.into_deserializer()).map(Many::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Many<T>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push(entry);
        }
        Ok(Many::Any(entries))
    }
}

/// What the engine may answer.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The input itself, untouched.
    Valid,
    /// The input itself, whose spelling the host converts.
    Deferred,
    /// Other arguments, with changes.
    Repaired,
    /// A refusal.
    Unrepairable,
}
