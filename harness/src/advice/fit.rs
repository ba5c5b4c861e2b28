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
        one_text(&mut case);
    }
    case
}

/// Leaves one text of a session, with the provider that was heard to say it.
fn one_text(case: &mut Case) {
    let chosen = case.salt as usize % case.said.len().max(1);
    let mut said = case.said.drain(..).skip(chosen).take(1).collect::<Vec<_>>();
    for said in said.iter_mut().filter(|said| said.provider.is_none()) {
        let heard = case.failures().find(|failed| failed.error == said.text);
        let model = heard.and_then(|failed| failed.model.as_ref());
        said.provider = model.map(|model| model.provider.clone());
    }
    case.said = said;
    case.steps.clear();
    case.salt = ABOUT_TEXTS;
}
