//! A template's leftovers behind the tool's name.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "name-residue",
    says: "the tool's name is followed by a channel marker or a closing tag",
    stage: Stage::Name,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let fresh = call.name == call.subject.name;
    if fresh {
        call.name.push_str(source.pick::<&str>(&["<|channel|>commentary", "</arg_value>"]));
    }
    fresh
}
