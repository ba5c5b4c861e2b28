//! A namespace before the tool's name.

use super::{Call, Malformation, Stage};
use crate::source::Source;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "name-prefix",
    says: "the tool's name has the namespace `functions.` before it",
    stage: Stage::Name,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, _source: &mut dyn Source) -> bool {
    let fresh = call.name == call.subject.name;
    if fresh {
        call.name = format!("functions.{}", call.name);
    }
    fresh
}
