//! Depth without recursion: measuring a value, and taking one apart that is too deep to drop.

use serde_json::Value;

/// True if `value` nests containers deeper than `depth_max` levels.
///
/// A scalar has depth 0, `[]` has depth 1. Stops at the first place that is too deep; costs a visit
/// per value otherwise, and beyond 16 levels a stack of iterators no longer than `depth_max`.
pub fn is_deeper_than(value: &Value, depth_max: usize) -> bool {
    !fits(value, depth_max.min(SHALLOW)) && is_deeper_by_stack(value, depth_max)
}

/// Levels that are looked at without allocating; the look recurses, so this bounds its stack.
const SHALLOW: usize = 16;

/// True if `value` nests no deeper than `levels`.
fn fits(value: &Value, levels: usize) -> bool {
    match (value, levels.checked_sub(1)) {
        (Value::Array(items), Some(below)) => items.iter().all(|child| fits(child, below)),
        (Value::Object(members), Some(below)) => members.values().all(|child| fits(child, below)),
        (Value::Array(_) | Value::Object(_), None) => false,
        _ => true,
    }
}

fn is_deeper_by_stack(value: &Value, depth_max: usize) -> bool {
    let mut stack: Vec<Children<'_>> = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(children) = next.and_then(Children::of) {
            if stack.len() >= depth_max {
                return true;
            }
            stack.push(children);
        }
        loop {
            let Some(top) = stack.last_mut() else { return false };
            if let Some(child) = top.next() {
                next = Some(child);
                break;
            }
            stack.pop();
        }
    }
}

/// The children of one container.
enum Children<'v> {
    Items(std::slice::Iter<'v, Value>),
    Members(serde_json::map::Values<'v>),
}

impl<'v> Children<'v> {
    fn of(value: &'v Value) -> Option<Self> {
        match value {
            Value::Array(items) => Some(Self::Items(items.iter())),
            Value::Object(members) => Some(Self::Members(members.values())),
            _ => None,
        }
    }

    /// The next child that is itself a container.
    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Self::Items(items) => items.find(|child| child.is_array() || child.is_object()),
            Self::Members(members) => members.find(|child| child.is_array() || child.is_object()),
        }
    }
}

/// Takes `value` apart with an explicit stack.
///
/// Dropping a [`Value`] recurses: measured, 10,000 levels end a debug build. Any value that may be
/// deeper than the limit goes through here.
pub fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, child)| child)),
            _ => {}
        }
    }
}

/// How much there is to walk in `value`: one step a value, and the bytes of texts and keys.
///
/// Only called on values within the depth limit.
pub(crate) fn extent(value: &Value) -> u64 {
    let mut pending = vec![value];
    let mut sum = 0_u64;
    while let Some(value) = pending.pop() {
        sum = sum.saturating_add(1);
        match value {
            Value::String(text) => sum = sum.saturating_add(text.len() as u64),
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => {
                for (key, child) in members {
                    sum = sum.saturating_add(key.len() as u64);
                    pending.push(child);
                }
            }
            _ => {}
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::from(0), |inner, _| Value::Array(vec![inner]))
    }

    #[test]
    fn depth_counts_containers() {
        for levels in [0_usize, 1, 2, 15, 16, 17, 100_000] {
            let value = nested(levels);
            assert!(!is_deeper_than(&value, levels));
            assert!(levels == 0 || is_deeper_than(&value, levels - 1));
            dismantle(value);
        }
        assert!(!is_deeper_than(&serde_json::json!({"a": [1, {"b": []}], "c": 2}), 4));
        assert!(is_deeper_than(&serde_json::json!({"a": [1, {"b": []}], "c": 2}), 3));
    }

    #[test]
    fn objects_are_taken_apart_as_lists_are() {
        let inside = |inner, _| Value::Object([("a".to_owned(), inner)].into_iter().collect());
        dismantle((0..100_000).fold(Value::Null, inside));
    }

    #[test]
    fn the_extent_counts_values_and_bytes() {
        for (value, steps) in [
            (serde_json::json!(null), 1),
            (serde_json::json!("ab"), 3),
            (serde_json::json!([1, "c"]), 4),
            (serde_json::json!({"ab": ["c", 1], "d": {}}), 9),
        ] {
            assert_eq!(extent(&value), steps, "{value}");
        }
    }
}
