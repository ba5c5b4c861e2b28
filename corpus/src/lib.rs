//! Real malformed calls, a peer's outcomes and stored regressions, as data with a loader.
//!
//! The data lies in `data/`, each folder with a page on its format. Everything but the
//! regressions is part of the binary; regressions are read from the checkout, so that adding one
//! means adding a file.

mod case;
mod error;
mod held;
mod lines;
mod peer;
mod recipe;
mod regression;
mod regression_file;

use std::path::Path;

pub use case::{Area, Case, CaseContext, CaseInput, Expect, parse_cases};
pub use error::CorpusError;
pub use held::{Held, dismantle};
pub use peer::{
    Defect, PeerOutcome, PeerTool, PeerVerdict, parse_defects, parse_outcomes, parse_tools,
};
pub use recipe::expand;
pub use regression::{Input, Regression, parse_regression, regressions_in};
pub use regression_file::{Answer, Many, RegressionFile};

/// The real failures of one area.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn cases(area: Area) -> Result<Vec<Case>, CorpusError> {
    let (file, text) = match area {
        Area::Arguments => ("arguments.jsonl", include_str!("../data/cases/arguments.jsonl")),
        Area::ToolNames => ("tool-names.jsonl", include_str!("../data/cases/tool-names.jsonl")),
        Area::Leaks => ("leaks.jsonl", include_str!("../data/cases/leaks.jsonl")),
        Area::ProviderErrors => {
            ("provider-errors.jsonl", include_str!("../data/cases/provider-errors.jsonl"))
        }
    };
    parse_cases(file, text)
}

/// The calls on which the peer breaks a promise.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn defects() -> Result<Vec<Defect>, CorpusError> {
    parse_defects("peer-defects.jsonl", include_str!("../data/cases/peer-defects.jsonl"))
}

/// What the peer made of 4,000 generated calls.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn outcomes() -> Result<Vec<PeerOutcome>, CorpusError> {
    parse_outcomes("outcomes.jsonl", include_str!("../data/differential/outcomes.jsonl"))
}

/// The tools the peer ran with.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn tools() -> Result<Vec<PeerTool>, CorpusError> {
    parse_tools("tools.json", include_str!("../data/differential/tools.json"))
}

/// The stored failures of one area, from the checkout this crate was built in.
///
/// # Errors
///
/// As [`regressions_in`], which takes another folder.
pub fn regressions(area: &str) -> Result<Vec<Regression>, CorpusError> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/regressions");
    regressions_in(&data.join(area))
}
