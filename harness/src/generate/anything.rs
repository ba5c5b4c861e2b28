//! JSON at large: any value, within a bound of depth and size.

use super::{Bias, words};
use crate::source::{Choose, Source};
use serde_json::{Map, Value, json};

/// Any JSON value with at most `depth` containers around a leaf; choice 0 is `null`.
pub fn value(source: &mut dyn Source, bias: &Bias, depth: u32) -> Value {
    let kinds = if depth == 0 { 5 } else { 8 };
    match source.below(kinds) {
        0 => Value::Null,
        1 => Value::Bool(source.chance(1, 2)),
        2 => integer(source),
        3 => number(source),
        4 => Value::String(words::any(source, bias)),
        5 | 6 => {
            let count = source.below(bias.items_max + 1);
            Value::Array((0..count).map(|_| value(source, bias, depth - 1)).collect())
        }
        _ => {
            let count = source.below(bias.items_max + 1);
            let members = (0..count).map(|_| (key(source), value(source, bias, depth - 1)));
            Value::Object(members.collect::<Map<_, _>>())
        }
    }
}

fn key(source: &mut dyn Source) -> String {
    const KEYS: &[&str] = &[
        "a",
        "path",
        "command",
        "edits",
        "x",
        "a/b",
        "",
        "0",
        "__proto__",
        "name",
        "arguments",
        "old_string",
        "ключ",
    ];
    (*source.pick(KEYS)).to_owned()
}

/// An integer that JSON and a 64-bit integer hold exactly; choice 0 is 0.
pub fn integer(source: &mut dyn Source) -> Value {
    match source.below(8) {
        0..=3 => json!(source.below(100)),
        4 => json!(-1 - i64::from(source.below(50))),
        5 => json!(source.below(u32::MAX)),
        6 => json!(9_007_199_254_740_992_i64 - i64::from(source.below(3))),
        _ => json!(9_007_199_254_740_993_i64),
    }
}

/// An integer or a fraction whose shortest decimal reads back to the same double; choice 0 is 0.
pub fn number(source: &mut dyn Source) -> Value {
    match source.below(4) {
        0..=2 => integer(source),
        _ => source
            .pick(&[json!(0.1), json!(-2.5), json!(3.25), json!(1e21), json!(1.5e-9), json!(0.3)])
            .clone(),
    }
}
