//! An input that is no case of a generator: bytes, as they came.

use crate::area::{Sample, Verdict};

/// Bytes under attack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Raw(pub Vec<u8>);

impl Sample for Raw {
    fn input(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    fn to_toml(&self, why: &str, found: &str) -> String {
        let comment = |text: &str| text.replace('\n', " ");
        format!(
            "# no file of an area: keep the input in fuzz/findings/\n# {}\n# {}\n",
            comment(why),
            comment(found)
        )
    }
}

/// The first thing that is wrong, as the verdict of the promise it breaks.
pub(super) fn verdicts(
    fine: &'static str,
    found: Result<(), (&'static str, String)>,
) -> Vec<(&'static str, Verdict)> {
    match found {
        Ok(()) => vec![(fine, Verdict::Holds)],
        Err((promise, says)) => vec![(promise, Verdict::Broken(says))],
    }
}

/// An error of this promise unless `kept`.
pub(super) fn require(
    kept: bool,
    promise: &'static str,
    says: impl FnOnce() -> String,
) -> Result<(), (&'static str, String)> {
    if kept { Ok(()) } else { Err((promise, says())) }
}
