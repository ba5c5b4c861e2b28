//! Cases for an engine that does not know everything ours does: what it cannot know is left out of them.

use super::case::Case;
use crate::conform::{Feature, Hello};

/// The choice with which a case is about its texts.
const ABOUT_TEXTS: u32 = 3;

/// The case as this engine can be asked it.
pub(super) fn fit(hello: &Hello, mut case: Case) -> Case {
    if !hello.has(Feature::Classes) {
        // Any class with the same consequence is as good as another.
        for meaning in case.said.iter_mut().filter_map(|said| said.meaning.as_mut()) {
            meaning.exact = false;
        }
    }
    if !hello.has(Feature::Sessions) {
        case.salt = ABOUT_TEXTS;
    }
    case
}
