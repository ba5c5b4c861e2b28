//! When two values say the same: numbers by what they mean, everything else exactly, order of keys aside.

use serde_json::{Number, Value};

/// True if two values say the same.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// True if two numbers have the same value.
pub fn same_number(left: &Number, right: &Number) -> bool {
    match (whole(left), whole(right)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => left.as_f64() == right.as_f64(),
        _ => false,
    }
}

/// The number as an integer, where it is one: a double below 2^53 in size, or any integer.
fn whole(number: &Number) -> Option<i128> {
    if let Some(signed) = number.as_i64() {
        return Some(signed.into());
    }
    if let Some(unsigned) = number.as_u64() {
        return Some(unsigned.into());
    }
    let text = format!("{:?}", number.as_f64()?);
    text.strip_suffix(".0")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_mean_what_they_say() {
        assert!(same(&json!({"a": [1.0, "x"]}), &json!({"a": [1, "x"]})));
        assert!(!same(&json!(1), &json!("1")));
        assert!(!same(&json!(1.5), &json!(1)));
        assert!(!same(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(same(&json!(1e300), &json!(1e300)));
    }
}
