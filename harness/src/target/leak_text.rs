//! Messages as models write them: whatever stands in them, it is scanned and treated.

use engine::grammar::{FAMILIES, Mode, UnknownTools};
use engine::{Policy, StopReason};

use super::bytes::Bytes;
use super::shop::Shop;
use super::{Target, hold};
use crate::area::{Trial, Wanted};
use crate::leaks::Leaks;
use crate::leaks::case::{Case, Intent, Setting};
use crate::source::{Choose, Source};

pub(super) const TARGET: Target = Target {
    name: "leak_text",
    says: "Text: four bytes of circumstances, then a message of the assistant; a NUL begins its next part.",
    area: "leaks",
    run,
    seeds,
};

/// Attacks with one input.
///
/// # Panics
///
/// If a promise is broken.
pub fn fuzz(data: &[u8]) {
    hold("leak_text", "leaks", run(data, Wanted::default()));
}

fn run(data: &[u8], wanted: Wanted<'_>) -> Option<Trial> {
    Some(SHOP.judge(case(data), wanted))
}

static SHOP: Shop<Leaks> = Shop::new();

/// Bytes before the text.
const HEAD: usize = 4;

fn case(data: &[u8]) -> Case {
    let (head, text) = data.split_at(data.len().min(HEAD));
    let mut source = Bytes::new(head);
    let mode = *source.pick(&[Some(Mode::Recover), None, Some(Mode::Strip), Some(Mode::Observe)]);
    let policy = *source.pick(&[Policy::Recover, Policy::Adaptive, Policy::Conservative]);
    let model = *source.pick(&[
        None,
        Some("glm-4.6"),
        Some("kimi-k2"),
        Some("lfm2-8b"),
        Some("olmo-3"),
        Some("llama-4"),
    ]);
    let model = model.map(str::to_owned);
    let mut setting = Setting { mode, policy, model, ..Setting::default() };
    match source.below(16) {
        10 => setting.unknown = UnknownTools::Strip,
        11 => setting.allows = true,
        12 => setting.assistant = false,
        13 => setting.stop_reason = StopReason::ToolUse,
        14 => setting.native_calls = 1,
        15 => setting.active = Some(vec!["read".to_owned()]),
        _ => {}
    }
    let text = String::from_utf8_lossy(text);
    let texts = text.split('\0').take(3).map(str::to_owned).collect();
    Case { texts, blocks: Vec::new(), mentions: Vec::new(), intent: Intent::Unknown, setting }
}

fn seeds() -> Vec<Vec<u8>> {
    let examples = FAMILIES.iter().flat_map(|family| family.examples).map(|example| example.text);
    let real = corpus::cases(corpus::Area::Leaks).unwrap_or_default();
    let real = real.into_iter().filter_map(|case| match case.input {
        corpus::CaseInput::Text(text) | corpus::CaseInput::Raw(text) => Some(text),
        corpus::CaseInput::Value(_) => None,
    });
    let texts = examples.map(str::to_owned).chain(real);
    texts.map(|text| [&[0; HEAD], text.as_bytes()].concat()).collect()
}
