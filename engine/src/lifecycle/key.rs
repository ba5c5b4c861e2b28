//! A key under which equal arguments of one tool meet again.

use std::borrow::Cow;

use serde_json::Value;

/// The most bytes of an id that are held as they are.
const ID_MAX: usize = 128;

/// The start value of FNV-1a, 64 bit.
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The key of a call. Arguments that differ in the order of members only, or in a spelling that
/// the host converts on the way (`"5"` and 5), have the same key.
///
/// Linear, and never recursive: the arguments may nest as deep as the host permits.
pub(super) fn of_call(tool: &str, args: &Value) -> u64 {
    let root = mix(START, tool.as_bytes());
    let mut sum = root;
    let mut open = vec![(args, root)];
    while let Some((value, place)) = open.pop() {
        match value {
            Value::Object(members) if !members.is_empty() => {
                open.extend(members.iter().map(|(key, value)| (value, child(place, key))));
            }
            Value::Array(items) if !items.is_empty() => {
                let places = items.iter().zip(0_u64..);
                open.extend(
                    places
                        .map(|(value, index)| (value, mix(mix(place, b"#"), &index.to_le_bytes()))),
                );
            }
            // Leaves are added up, so that the order of members cannot matter.
            leaf => sum = sum.wrapping_add(leaf_key(leaf, place)),
        }
    }
    sum
}

/// The id under which a call is held. Servers choose ids, so one may have any length; a long one is
/// held as its length and a sum of all of it. A server that makes two sums meet gains no more than
/// by an id that it gives twice.
pub(super) fn of_id(id: &str) -> Cow<'_, str> {
    if id.len() <= ID_MAX {
        return Cow::Borrowed(id);
    }
    Cow::Owned(format!("{}…{:016x}", id.len(), mix(START, id.as_bytes())))
}

fn child(place: u64, key: &str) -> u64 {
    mix(mix(place, b"."), key.as_bytes())
}

fn leaf_key(leaf: &Value, place: u64) -> u64 {
    let number = |number: f64| mix(mix(place, b"n"), &number.to_bits().to_le_bytes());
    match leaf {
        Value::Null => mix(place, b"null"),
        Value::Bool(flag) => mix(place, if *flag { b"true" } else { b"false" }),
        Value::Number(value) => number(value.as_f64().unwrap_or_default() + 0.0),
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => number(value + 0.0),
            _ if text.eq_ignore_ascii_case("true") => mix(place, b"true"),
            _ if text.eq_ignore_ascii_case("false") => mix(place, b"false"),
            _ => mix(mix(place, b"s"), text.as_bytes()),
        },
        Value::Array(_) => mix(place, b"[]"),
        Value::Object(_) => mix(place, b"{}"),
    }
}

/// FNV-1a, and a turn so that sums of similar places do not meet.
fn mix(hash: u64, bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash ^ (hash >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_of_any_length_are_held_in_little_room() {
        assert_eq!(of_id(""), "");
        assert_eq!(of_id("call_\u{0}\u{1b}é"), "call_\u{0}\u{1b}é");
        let long = "é".repeat(1 << 19);
        let (same, other) = (long.clone(), format!("{long}x"));
        assert!(of_id(&long).len() <= ID_MAX);
        let (longest, longer) = ("i".repeat(ID_MAX), "i".repeat(ID_MAX + 1));
        assert_eq!(of_id(&longest), longest);
        assert!(of_id(&longer).len() < ID_MAX);
        assert_ne!(of_id(&longer), of_id(&longer.replacen('i', "j", 1)));
        assert_eq!(of_id(&long), of_id(&same));
        assert_ne!(of_id(&long), of_id(&other));
    }

    #[test]
    fn order_and_spelling_do_not_matter_and_all_else_does() {
        let key = |value: Value| of_call("read", &value);
        assert_eq!(key(json!({"a": 1, "b": [1, 2]})), key(json!({"b": ["1", 2.0], "a": 1})));
        for (one, other) in [
            (json!("TRUE"), json!(true)),
            (json!("False"), json!(false)),
            (json!(-0.0), json!(0)),
            (json!("-0"), json!(0)),
            (json!(" 5e0 "), json!(5)),
        ] {
            assert_eq!(key(json!({"a": one})), key(json!({"a": other})), "{one} {other}");
        }
        let all = [
            json!({}),
            json!([]),
            json!(null),
            json!({"a": 1, "b": 2}),
            json!({"a": 2, "b": 1}),
            json!({"a": [1, 2]}),
            json!({"a": [2, 1]}),
            json!({"a": {"b": 1}}),
            json!({"a.b": 1}),
            json!({"a": "x"}),
            json!({"a": null}),
            json!({"a": []}),
            json!({"a": {}}),
            json!({"a": true}),
            json!({"a": false}),
            json!({"a": "inf"}),
            json!({"a": "infinity"}),
        ];
        let mut keys: Vec<u64> = all.iter().map(|value| of_call("read", value)).collect();
        keys.push(of_call("grep", &json!({"a": 1, "b": 2})));
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all.len() + 1);
        let numbers = (0..10_000).map(|n| key(json!({"offset": n})));
        let keys: std::collections::BTreeSet<u64> = numbers.collect();
        assert_eq!(keys.len(), 10_000);
    }
}
