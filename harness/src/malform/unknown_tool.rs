//! The name of a tool that does not exist.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "unknown-tool",
    says: "no tool of this name is registered",
    stage: Stage::Name,
    lossless: false,
    conservative: true,
    apply,
};

const NAMES: &[&str] =
    &["frobnicate", "", "read_everything", "functions.", "<|channel|>commentary"];

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    call.name = source.pick(NAMES).to_string();
    true
}
