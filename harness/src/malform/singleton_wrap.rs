//! A value alone in a list where no list is declared.

use super::{Call, Malformation, Stage};
use crate::generate::shape::{self, Kind};
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "singleton-wrap",
    says: "a value stands alone in a list where no list is declared",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, value| {
        // An object none of whose members are declared could be an entry of a list of pairs.
        let declared = |key: &String| {
            shape::properties(site.schema).is_some_and(|known| known.contains_key(key))
        };
        let described = value
            .as_object()
            .is_none_or(|map| shape::properties(site.schema).is_some() && map.keys().all(declared));
        site.kind != Kind::List && !site.item && site.kind.holds(value) && described
    });
    chosen.is_some_and(|(place, value)| call.put(place, Value::Array(vec![value])))
}
