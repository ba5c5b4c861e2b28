//! The tool's name in another case.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "name-case",
    says: "the tool's name is sent in another case",
    stage: Stage::Name,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let mut capital = call.name.clone();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let forms = [capital, call.name.to_ascii_uppercase(), call.name.to_ascii_lowercase()];
    let others: Vec<String> = forms.into_iter().filter(|name| *name != call.name).collect();
    let fresh = call.name == call.subject.name && !others.is_empty();
    if fresh {
        call.name.clone_from(source.pick(&others));
    }
    fresh
}
