//! The operations that turn one value into another, for hooks that only return a result.

use serde_json::Value;

use crate::{Operation, Pointer};

/// The RFC 6902 operations that turn `before` into `after`.
///
/// Objects are compared member by member; everything else that differs is replaced whole. Key
/// order alone is no difference. Costs one visit per value, and a pointer only where the two
/// differ; empty if they are equal. Both values must be within the depth limit.
pub(crate) fn diff(before: &Value, after: &Value) -> Vec<Operation> {
    let mut operations = Vec::new();
    collect(&At { up: None, key: "" }, before, after, &mut operations);
    operations
}

/// A place that knows its way up; a long key above many members is then written only when needed.
struct At<'p> {
    up: Option<&'p At<'p>>,
    key: &'p str,
}

impl At<'_> {
    fn pointer(&self) -> Pointer {
        self.up.map_or_else(Pointer::root, |up| up.pointer().child(self.key))
    }
}

/// Recursion is bounded by the depth limit, as it is where the two are compared.
fn collect(at: &At<'_>, before: &Value, after: &Value, operations: &mut Vec<Operation>) {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        if before != after {
            operations.push(Operation::Replace { path: at.pointer(), value: after.clone() });
        }
        return;
    };
    for (key, value) in old {
        let below = At { up: Some(at), key };
        match new.get(key) {
            Some(other) => collect(&below, value, other, operations),
            None => operations.push(Operation::Remove { path: below.pointer() }),
        }
    }
    for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let path = At { up: Some(at), key }.pointer();
        operations.push(Operation::Add { path, value: value.clone() });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operations_lead_from_one_to_the_other() {
        let cases = [
            (json!({"a": 1, "b": {"c": 2}}), json!({"b": {"c": 3, "d": 4}})),
            (json!([1]), json!({"a": 1})),
            (json!({"a/b": {"~": 1}}), json!({"a/b": {"~": 2}})),
            (json!({"a": 1}), json!({"a": 1})),
        ];
        for (before, after) in cases {
            let mut value = before.clone();
            for operation in diff(&before, &after) {
                operation.apply(&mut value).expect("the place is there");
            }
            assert_eq!(value, after);
        }
    }
}
