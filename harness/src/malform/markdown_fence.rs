//! A Markdown fence around the text.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "markdown-fence",
    says: "a Markdown fence stands around the text, which holds none itself",
    stage: Stage::Text,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    if call.has_any(&["missing-closers", "over-escaped"]) {
        return false;
    }
    let Some(text) =
        call.text(source).filter(|text| !text.contains("```") && !text.contains("~~~"))
    else {
        return false;
    };
    let (open, close) = *source.pick(&[
        ("```json\n", "\n```"),
        ("```\n", "\n```"),
        ("~~~\n", "\n~~~"),
        ("~~~json\n", "\n~~~\n"),
    ]);
    call.send(format!("{open}{text}{close}"))
}
