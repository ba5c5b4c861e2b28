//! A member of an enumeration in another case.

use super::{Call, Malformation, Stage};
use crate::source::{Choose, Source};
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "enum-case",
    says: "an enumeration's member is sent in another case, and only one member folds to it",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, value| {
        let Some(text) = value.as_str().filter(|text| text.is_ascii()) else { return false };
        let members = site.choices().into_iter().flatten().filter_map(Value::as_str);
        members.filter(|member| member.eq_ignore_ascii_case(text)).count() == 1
    });
    let Some((place, Value::String(text))) = chosen else { return false };
    let upper = text.to_ascii_uppercase();
    let lower = text.to_ascii_lowercase();
    let mut capital = lower.clone();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let others: Vec<String> =
        [capital, upper, lower].into_iter().filter(|other| *other != text).collect();
    !others.is_empty() && call.put(place, Value::String(source.pick(&others).clone()))
}
