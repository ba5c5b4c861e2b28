//! A bare object where a list of objects is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "singleton-unwrap",
    says: "the only object of a list stands there without the list",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let schema = &call.subject.schema;
    let chosen = call.choose(source, |site, value| {
        let only = value
            .as_array()
            .filter(|items| items.len() == 1)
            .and_then(|items| items[0].as_object());
        !site.item
            && site.item_kind(schema) == Some(Kind::Object)
            && only.is_some_and(|item| !item.is_empty())
    });
    let Some((place, Value::Array(mut items))) = chosen else { return false };
    items.pop().is_some_and(|item| call.put(place, item))
}
