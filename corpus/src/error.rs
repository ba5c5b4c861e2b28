//! What can be wrong with a data file, said so that its author can mend it.

use std::fmt;

/// A data file that cannot be used as it stands.
///
/// Says where the fault is, what it is, and what would mend it. One fault is reported: the first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CorpusError {
    /// Name or path of the file, as the caller gave it.
    pub file: String,
    /// Line of the fault, counted from 1, where one line is to blame.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl CorpusError {
    /// A fault of the whole file; [`CorpusError::at`] adds the line.
    pub(crate) fn new(file: &str, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, problem: problem.into(), remedy: remedy.into() }
    }

    /// The same fault, pinned to a line.
    pub(crate) fn at(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}; {}", self.problem, self.remedy)
    }
}

impl std::error::Error for CorpusError {}
