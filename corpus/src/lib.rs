//! Real malformed calls, a peer's outcomes, stored regressions, scripts and claims about pi, as
//! data with a loader.
//!
//! The data lies in `data/`, each folder with a page on its format. Cases and outcomes are part of
//! the binary; what is one file a record (regressions, scripts, claims, traces) is read from the
//! checkout, so that adding one means adding a file.

mod case;
mod claim;
mod error;
mod folder;
mod held;
mod lines;
mod observation;
mod peer;
mod recipe;
mod regression;
mod regression_file;
mod release;
mod script;
mod trace;
mod wording;

use std::path::{Path, PathBuf};

pub use case::{Area, Case, CaseContext, CaseInput, Expect, parse_cases};
pub use claim::{Claim, Lines, Miss, Since, parse_claim};
pub use error::CorpusError;
pub use held::{Held, dismantle};
pub use observation::{Observation, parse_observations};
pub use peer::{
    Defect, PeerOutcome, PeerTool, PeerVerdict, parse_defects, parse_outcomes, parse_tools,
};
pub use recipe::expand;
pub use regression::{Input, Regression, StoredFile, files_in, parse_regression, regressions_in};
pub use regression_file::{Answer, Many, RegressionFile};
pub use release::{Release, ReleaseError};
pub use script::{
    Action, Api, Block, CompactionSettings, Handler, Model, Prompting, Question, RetrySettings,
    SCRIPT_FORMAT, Script, ScriptedTool, Settings, Step, Trigger, Turn, Usage, UsageRow,
    parse_script,
};
pub use trace::{
    ActionError, Answered, Event, HandlerError, Origin, Trace, View, brief, parse_trace,
};
pub use wording::{Wording, parse_wordings};

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

/// Wordings of provider errors with their class.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn wordings() -> Result<Vec<Wording>, CorpusError> {
    parse_wordings("wordings.jsonl", include_str!("../data/errors/wordings.jsonl"))
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

/// The stored failures about arguments, from the checkout this crate was built in.
///
/// # Errors
///
/// As [`regressions_in`], which takes another folder.
pub fn regressions(area: &str) -> Result<Vec<Regression>, CorpusError> {
    regressions_in(&data("regressions").join(area))
}

/// The regression files of one area, in whatever format it has; none if it has no folder.
///
/// # Errors
///
/// As [`files_in`].
pub fn regression_files(area: &str) -> Result<Vec<StoredFile>, CorpusError> {
    let folder = data("regressions").join(area);
    if folder.is_dir() { files_in(&folder) } else { Ok(Vec::new()) }
}

/// All scripts, from the checkout this crate was built in, sorted by name.
///
/// # Errors
///
/// A folder or file that cannot be read, and any fault of [`parse_script`].
pub fn scripts() -> Result<Vec<Script>, CorpusError> {
    folder::read(&data("scripts"), "json", parse_script)
}

/// All claims, from the checkout this crate was built in, sorted by name.
///
/// # Errors
///
/// A folder or file that cannot be read, and any fault of [`parse_claim`].
pub fn claims() -> Result<Vec<Claim>, CorpusError> {
    folder::read(&data("claims"), "toml", parse_claim)
}

/// What the real pi of a release did, from the checkout this crate was built in.
///
/// # Errors
///
/// A folder or file that cannot be read, and any fault of [`parse_trace`].
pub fn traces(release: Release) -> Result<Vec<Trace>, CorpusError> {
    folder::read(&data("traces").join(release.to_string()), "json", parse_trace)
}

/// What was seen of pi before any claim was written.
///
/// # Errors
///
/// None, as long as the crate's own tests pass: they read the same embedded text.
pub fn observations() -> Result<Vec<Observation>, CorpusError> {
    parse_observations("observed.jsonl", include_str!("../data/host/observed.jsonl"))
}

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder)
}
