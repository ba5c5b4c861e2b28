//! What a scalar becomes: the generous table of the conversion pass and the stricter one by type name.

use serde_json::Value;

use super::number;

/// The generous conversion to a scalar type; `None` if there is none.
pub(super) fn generous(type_name: &str, value: &Value) -> Option<Value> {
    match type_name {
        "string" => to_text(value).map(Value::from),
        "number" => to_number(value).and_then(number::to_json),
        "integer" => to_number(value).map(f64::trunc).and_then(number::to_json),
        "boolean" => to_boolean(value).map(Value::from),
        "null" => is_null_like(value).then_some(Value::Null),
        _ => None,
    }
}

/// The literal itself where the value converts to exactly it, else the value.
pub(super) fn literal(literal: &Value, value: Value) -> Value {
    let type_name = match literal {
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        _ => return value,
    };
    if generous(type_name, &value).is_some_and(|converted| same_scalar(&converted, literal)) {
        literal.clone()
    } else {
        value
    }
}

/// Whether two scalars are one to JavaScript's strict equality.
pub(super) fn same_scalar(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(_) | Value::Object(_), _) => false,
        _ => left == right,
    }
}

fn to_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => plain_text(value),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Number(number) => number.as_f64().map(number::text),
        _ => None,
    }
}

fn to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Null => Some(0.0),
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text_to_number(text),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn text_to_number(text: &str) -> Option<f64> {
    let finite = number::read(text).filter(|double| double.is_finite());
    finite.or_else(|| truth_of(text).map(|truth| f64::from(u8::from(truth)))).or_else(|| big(text))
}

/// `12n`, the spelling of a big integer, where a double holds it exactly.
fn big(text: &str) -> Option<f64> {
    let integer = text.strip_suffix('n')?;
    let digits = integer.strip_prefix('-').unwrap_or(integer);
    let is_plain = digits == "0" || !digits.starts_with('0');
    let all_digits = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let double = (is_plain && all_digits).then(|| number::read(integer)).flatten()?;
    number::is_safe(double).then_some(double)
}

fn truth_of(text: &str) -> Option<bool> {
    [("true", true), ("false", false)]
        .into_iter()
        .find_map(|(name, truth)| text.eq_ignore_ascii_case(name).then_some(truth))
}

fn to_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Null => Some(false),
        Value::Bool(truth) => Some(*truth),
        Value::Number(_) => zero_or_one(value),
        Value::String(text) => truth_of(text).or(match text.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn zero_or_one(value: &Value) -> Option<bool> {
    match value.as_f64().and_then(number::to_json)?.as_i64()? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn is_null_like(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(_) => zero_or_one(value) == Some(false),
        Value::String(text) => {
            matches!(text.as_str(), "" | "0")
                || text.eq_ignore_ascii_case("null")
                || text.eq_ignore_ascii_case("undefined")
        }
        _ => false,
    }
}

/// The coercion by type name: `None` where the value stays as it is.
pub(super) fn by_type_name(type_name: &str, value: &Value) -> Option<Value> {
    match (type_name, value) {
        ("string", Value::Null) => Some(Value::from("")),
        ("string", _) => plain_text(value).map(Value::from),
        ("number" | "integer", Value::Null) => Some(Value::from(0)),
        ("number" | "integer", Value::Bool(truth)) => Some(Value::from(u8::from(*truth))),
        ("number" | "integer", Value::String(text)) => strict_number(type_name, text),
        ("boolean", Value::Null) => Some(Value::Bool(false)),
        ("boolean", Value::Number(_)) => zero_or_one(value).map(Value::Bool),
        ("boolean", Value::String(text)) => text.parse().ok().map(Value::Bool),
        ("null", Value::Bool(false)) => Some(Value::Null),
        ("null", Value::Number(_)) if zero_or_one(value) == Some(false) => Some(Value::Null),
        ("null", Value::String(text)) if text.is_empty() => Some(Value::Null),
        _ => None,
    }
}

fn strict_number(type_name: &str, text: &str) -> Option<Value> {
    let double = number::read(text).filter(|double| double.is_finite())?;
    let fits = type_name == "number" || number::is_integral(double);
    (fits && !number::is_blank(text)).then(|| number::to_json(double)).flatten()
}

/// Whether the value is of the named JSON type.
pub(super) fn is_of_type(type_name: &str, value: &Value) -> bool {
    match type_name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(number::is_integral),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn big_integers_are_numbers_where_a_double_holds_them() {
        for (text, number) in [
            ("12n", Some(json!(12))),
            ("-7n", Some(json!(-7))),
            ("0n", Some(json!(0))),
            ("9007199254740993n", None),
            ("012n", None),
            ("1.5n", None),
            ("n", None),
        ] {
            assert_eq!(generous("number", &json!(text)), number, "{text}");
        }
    }

    #[test]
    fn scalars_are_the_same_by_value_and_containers_never() {
        assert!(same_scalar(&json!(1), &json!(1.0)) && !same_scalar(&json!(1), &json!("1")));
        assert!(!same_scalar(&json!([]), &json!([])) && !same_scalar(&json!({}), &json!({})));
        for (name, value) in [
            ("string", json!("")),
            ("integer", json!(5.0)),
            ("boolean", json!(false)),
            ("null", json!(null)),
            ("array", json!([])),
            ("object", json!({})),
        ] {
            assert!(is_of_type(name, &value) && !is_of_type(name, &json!(0.5)), "{name}");
        }
    }
}
