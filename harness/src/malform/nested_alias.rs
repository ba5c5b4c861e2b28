//! A field of a list's items under another name.

use super::{Call, Malformation, Stage, alias};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "nested-alias",
    says: "a field below the root has a configured other name, in one item or in all",
    stage: Stage::Key,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    alias::rename(call, source, |selector| selector.matches('/').count() > 1)
}
