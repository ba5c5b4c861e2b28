//! Scalars spelled as text: exact numbers and booleans, nothing else.

use serde_json::Value;

use crate::reader;
use crate::schema::Types;

/// The number or boolean that `text` spells, where the place accepts it and accepts no text.
///
/// Numbers follow JSON's grammar and are kept exactly, or not read: `"3.5"` is no integer, `"0x10"`
/// and `"1e400"` are no numbers. Blanks around a number are left out. Booleans are `true` and
/// `false` in any case.
pub(crate) fn read_scalar(text: &str, types: Types) -> Option<Value> {
    if types.string() {
        return None;
    }
    if types.boolean() {
        for (word, value) in [("true", true), ("false", false)] {
            if text.eq_ignore_ascii_case(word) {
                return Some(Value::Bool(value));
            }
        }
    }
    let shown = text.trim();
    if !types.number() || !shown.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return None;
    }
    let reading = reader::read(shown, &reader::ReadOptions::default()).ok()?;
    let exact = reading.liberties.is_empty() && reading.inexact.is_none();
    let fits = types.meets(Types::of(&reading.value));
    (exact && fits && reading.value.is_number()).then_some(reading.value)
}

/// True if two values are the same, numbers compared by what they say and not by how they are kept.
///
/// Both must be within the depth limit.
pub fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same_value(a, b)))
        }
        _ => left == right,
    }
}

fn same_number(a: &serde_json::Number, b: &serde_json::Number) -> bool {
    let whole = |number: &serde_json::Number| {
        number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
    };
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        (Some(whole), None) => equals_float(whole, b),
        (None, Some(whole)) => equals_float(whole, a),
    }
}

/// True if the double is this very integer; above 2^53 a double may stand for many.
fn equals_float(whole: i128, float: &serde_json::Number) -> bool {
    let Some(float) = float.as_f64() else { return false };
    float.fract() == 0.0 && format!("{float:.0}") == whole.to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_the_same_by_what_they_say() {
        assert!(same_value(&json!({"n": [1.0, 2]}), &json!({"n": [1, 2.0]})));
        assert!(!same_value(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
        assert!(!same_value(&json!("1"), &json!(1)));
        assert!(same_value(&json!(1e20), &json!(100_000_000_000_000_000_000.0)));
    }

    #[test]
    fn containers_are_the_same_by_every_part() {
        for (one, other) in [(json!([1, 2]), json!([1, 3])), (json!([1]), json!([1, 2]))] {
            assert!(!same_value(&one, &other) && !same_value(&other, &one));
        }
        assert!(!same_value(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(!same_value(&json!({"a": 1}), &json!({"b": 1})));
        assert!(!same_value(&json!({"a": 1}), &json!({"a": 2})));
    }

    #[test]
    fn scalars_are_read_exactly_or_not_at_all() {
        for (text, schema, expected) in [
            ("-5", json!({"type": "integer"}), Some(json!(-5))),
            (" 5 ", json!({"type": "integer"}), Some(json!(5))),
            ("5.5", json!({"type": "number"}), Some(json!(5.5))),
            ("5.5", json!({"type": "integer"}), None),
            ("1e400", json!({"type": "number"}), None),
            ("0x10", json!({"type": "integer"}), None),
            ("\"5\"", json!({"type": "integer"}), None),
            ("[5]", json!({"type": ["integer", "array"]}), None),
            ("5", json!({"type": "boolean"}), None),
            ("5", json!({"type": ["integer", "string"]}), None),
            ("TRUE", json!({"type": "boolean"}), Some(json!(true))),
            ("true", json!({"type": "integer"}), None),
        ] {
            let schema = crate::schema::Schema::compile(schema).expect("compiles");
            assert_eq!(read_scalar(text, schema.root().types()), expected, "{text}");
        }
    }
}
