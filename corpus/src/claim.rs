//! Claims: what is believed of pi, the script that shows it, and what leans on it.
//!
//! The format is described in `corpus/data/claims/README.md`.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

use crate::{
    error::CorpusError,
    release::Release,
    trace::{Trace, View},
};

const FORMAT: &str = "corpus/data/claims/README.md";

/// Something believed of pi.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The stem of its file, in kebab case.
    pub name: String,
    /// The belief, in one sentence.
    pub says: String,
    /// Code that is wrong if the belief is.
    pub leans: Vec<String>,
    /// Name of the script that shows it.
    pub script: String,
    /// What is seen, from which release on; in the order of releases.
    pub seen: Vec<Since>,
}

/// What is seen from a release on, up to the next such row.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Since {
    /// The first release it was seen on.
    pub since: Release,
    /// What is different from here on, in one sentence; the first row needs none.
    #[serde(default)]
    pub now: Option<String>,
    /// What each view must show.
    #[serde(flatten)]
    pub expect: BTreeMap<View, Lines>,
}

/// What the lines of a view must be; `*` in a line stands for any text.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Lines {
    /// Exactly these.
    pub is: Option<Vec<String>>,
    /// These, in this order, others between them or not.
    pub has: Vec<String>,
    /// None of these.
    pub lacks: Vec<String>,
}

/// What a claim missed in a trace.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Miss {
    /// Where.
    pub view: View,
    /// What was wanted, and is not there or should not be.
    pub wanted: String,
    /// The lines that were there.
    pub got: Vec<String>,
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.view, self.wanted)
    }
}

impl Claim {
    /// The row that holds for a release; none before the first.
    pub fn row(&self, release: Release) -> Option<&Since> {
        self.seen.iter().rev().find(|row| row.since <= release)
    }

    /// What a trace of the claim's script, made by `release`, does not show; empty if it holds
    /// or does not speak of this release.
    pub fn check(&self, release: Release, trace: &Trace) -> Vec<Miss> {
        let rows = self.row(release).into_iter().flat_map(|row| &row.expect);
        rows.flat_map(|(view, lines)| lines.check(*view, &trace.view(*view))).collect()
    }
}

impl Lines {
    /// What is wrong with the lines of a view.
    pub(crate) fn check(&self, view: View, got: &[String]) -> Vec<Miss> {
        let miss = |wanted: String| Miss { view, wanted, got: got.to_vec() };
        let mut misses = Vec::new();
        if let Some(is) = &self.is {
            let pairs = got.iter().zip(is);
            let differs = pairs.clone().position(|(line, wanted)| !matches(wanted, line));
            let at = differs.unwrap_or_else(|| got.len().min(is.len()));
            if differs.is_some() || got.len() != is.len() {
                let wanted = is.get(at).map_or("the end".to_owned(), |line| format!("`{line}`"));
                let found = got.get(at).map_or("the end".to_owned(), |line| format!("`{line}`"));
                misses.push(miss(format!("line {} is {found}, not {wanted}", at + 1)));
            }
        }
        let mut rest = got.iter();
        for wanted in &self.has {
            if !rest.any(|line| matches(wanted, line)) {
                misses.push(miss(format!("`{wanted}` is missing, or comes too early")));
                break;
            }
        }
        for unwanted in &self.lacks {
            if let Some(line) = got.iter().find(|line| matches(unwanted, line)) {
                misses.push(miss(format!("`{line}` should not be there")));
            }
        }
        misses
    }
}

/// Whether `line` is `pattern`, where `*` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    says: String,
    leans: Vec<String>,
    script: String,
    seen: Vec<Since>,
}

/// Reads one claim; `name` is the stem of its file.
///
/// # Errors
///
/// Text that is not TOML, an unknown key, no row, rows out of order, or a row that expects nothing.
pub fn parse_claim(name: &str, text: &str) -> Result<Claim, CorpusError> {
    let file = format!("{name}.toml");
    let row: Row = toml::from_str(text).map_err(|error| {
        let fault = CorpusError::new(&file, error.message(), format!("compare it with {FORMAT}"));
        match error.span() {
            Some(span) => fault.at(text[..span.start].matches('\n').count() + 1),
            None => fault,
        }
    })?;
    let fault = |problem: &str, remedy: &str| CorpusError::new(&file, problem, remedy);
    if row.seen.is_empty() || row.seen.iter().any(|row| row.expect.is_empty()) {
        return Err(fault("a row expects nothing", "say in each `[[seen]]` what a view shows"));
    }
    if row.leans.is_empty() {
        return Err(fault("nothing leans on it", "name the code, or drop the claim"));
    }
    if !row.seen.is_sorted_by(|one, next| one.since < next.since) {
        return Err(fault("rows are out of order", "sort `[[seen]]` by `since`"));
    }
    let Row { says, leans, script, seen } = row;
    Ok(Claim { name: name.to_owned(), says, leans, script, seen })
}
