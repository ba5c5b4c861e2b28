//! Error texts as providers word them: classified, redacted, framed.

use engine::advisor::CLASSES;

use super::bytes::Bytes;
use super::shop::Shop;
use super::{Target, hold};
use crate::advice::Advice;
use crate::advice::case::Case;
use crate::area::{Trial, Wanted};

pub(super) const TARGET: Target = Target {
    name: "error_text",
    says: "Text: eight bytes of circumstances, then the error that ends a request, a compaction or a command.",
    area: "advisor",
    run,
    seeds,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("error_text", "advisor", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    let (head, text) = data.split_at(data.len().min(HEAD));
    let text = String::from_utf8_lossy(text).into_owned();
    Some(SHOP.judge(Case::failing(&mut Bytes::new(head), text), wanted))
}

static SHOP: Shop<Advice> = Shop::new();

/// Bytes before the text.
const HEAD: usize = 8;

fn seeds() -> Vec<Vec<u8>> {
    let examples = CLASSES.iter().flat_map(|class| class.rules).flat_map(|rule| rule.examples);
    let wordings = corpus::wordings().unwrap_or_default().into_iter().map(|row| row.text);
    let texts = examples.map(|text| (*text).to_owned()).chain(wordings);
    texts.map(|text| [&[0; HEAD], text.as_bytes()].concat()).collect()
}
