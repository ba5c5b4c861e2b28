//! Items of a list as JSON text.

use super::stringified::is_doubted;
use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "stringified-item",
    says: "one item of a list of objects or lists, or every item, is sent as JSON text",
    stage: Stage::Structure,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let all = source.chance(1, 2);
    let choose = |call: &Call, source: &mut dyn Source| {
        call.choose(source, |site, value| {
            site.item
                && matches!(site.kind, Kind::Object | Kind::List)
                && site.is_free()
                && site.kind.holds(value)
                && !is_doubted(value)
        })
    };
    let Some((place, value)) = choose(call, source) else { return false };
    if !all {
        return call.put(place, Value::String(value.to_string()));
    }
    let parent = place[..place.len() - 1].to_vec();
    let Some(Value::Array(items)) =
        call.value().and_then(|value| value.pointer(&crate::json::pointer(&parent)))
    else {
        return false;
    };
    if items.iter().any(|item| item.is_string() || is_doubted(item)) {
        return false;
    }
    let items = items.iter().map(|item| Value::String(item.to_string())).collect();
    call.put(parent, Value::Array(items))
}
