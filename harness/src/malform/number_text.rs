//! A number as text.

use super::{Call, Malformation, Stage};
use crate::generate::shape::Kind;
use crate::source::Source;
use serde_json::Value;

pub(super) const MALFORMATION: Malformation = Malformation {
    id: "number-text",
    says: "a number is sent as its decimal text",
    stage: Stage::Field,
    lossless: true,
    conservative: true,
    apply,
};

fn apply(call: &mut Call, source: &mut dyn Source) -> bool {
    let chosen = call.choose(source, |site, value| {
        matches!(site.kind, Kind::Number | Kind::Integer) && site.is_free() && exact(value)
    });
    chosen.is_some_and(|(place, value)| call.put(place, Value::String(value.to_string())))
}

/// Whether the text of a number, read by any reader with doubles, is that number again:
/// plain digits, and no whole number beyond 2^53.
fn exact(value: &Value) -> bool {
    match (value.as_i64(), value.as_f64()) {
        (Some(whole), _) => whole.unsigned_abs() <= 1 << 53,
        (None, Some(fraction)) => {
            value.is_f64() && fraction != 0.0 && !value.to_string().contains('e')
        }
        _ => false,
    }
}
