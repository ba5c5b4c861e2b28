//! Wordings of provider errors, each with the class a careful reader gives it.

use serde::Deserialize;

use crate::{error::CorpusError, lines};

/// One error text, in the shortest form that still shows its kind.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// The text as a host shows it; ids, names and amounts are made up.
    pub text: String,
    /// The class.
    pub class: String,
    /// Other classes that say the same about retrying.
    #[serde(default)]
    pub also: Vec<String>,
    /// Who words it so; empty for made-up text that must not be misread.
    pub said_by: String,
    /// The provider's id, where the text alone says too little.
    #[serde(default)]
    pub provider: Option<String>,
}

impl Wording {
    /// The text, with the provider where it matters.
    fn key(&self) -> String {
        format!("{}{}", self.provider.as_deref().unwrap_or_default(), self.text)
    }
}

/// Reads wordings, one a line; no text of one provider stands there twice.
///
/// # Errors
///
/// A line that is no wording, or a text that stands there already.
pub fn parse_wordings(file: &str, text: &str) -> Result<Vec<Wording>, CorpusError> {
    lines::parse(file, text, "errors/README.md", |row: Wording| Ok((row.key(), row)))
}
