//! A text that ends too early.

use super::call::whole_leaves;
use super::{Call, Malformation, Stage};
use crate::generate::hostile::boundary;
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "cut-text",
    says: "the text is cut at any byte; only whole leaves at their own places may come out",
    stage: Stage::Text,
    lossless: false,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    // Cut within its lead, a text is plain prose, which a tool with one text field may take.
    if call.has_any(&["surrounding-prose"]) {
        return false;
    }
    // Texts that are one string, such as doubly encoded arguments, are cut as well.
    let text = call.text(source).unwrap_or_else(|| call.as_text());
    if text.len() < 3 {
        return false;
    }
    let end = boundary(&text, text.len() - 1 - source.index(text.len() - 1));
    call.accepts = Some(whole_leaves);
    end > 0 && call.send(text[..end].to_owned())
}
