//! What a repair did: changes made of RFC 6902 operations, and observations of what it left undone.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Map, Value, json};

use crate::Pointer;

/// One JSON Patch operation (RFC 6902) on the arguments.
///
/// Only the four kinds that repairs need; paths of adds always name an object member, or the end
/// of a list as its length.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Adds a member to an object, or appends an item to a list.
    Add {
        /// Where the new value stands afterwards.
        path: Pointer,
        /// The new value.
        value: Value,
    },
    /// Removes an object member.
    Remove {
        /// The member that goes.
        path: Pointer,
    },
    /// Replaces a value in place; the order of an object's keys stays.
    Replace {
        /// The place.
        path: Pointer,
        /// The new value.
        value: Value,
    },
    /// Moves an object member to another name or place.
    Move {
        /// The old place.
        from: Pointer,
        /// The new place.
        path: Pointer,
    },
}

impl Operation {
    /// The operation as RFC 6902 writes it.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Add { path, value } => {
                json!({"op": "add", "path": path.as_str(), "value": value})
            }
            Self::Remove { path } => json!({"op": "remove", "path": path.as_str()}),
            Self::Replace { path, value } => {
                json!({"op": "replace", "path": path.as_str(), "value": value})
            }
            Self::Move { from, path } => {
                json!({"op": "move", "from": from.as_str(), "path": path.as_str()})
            }
        }
    }

    /// The place the operation writes to.
    pub fn path(&self) -> &Pointer {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. } => path,
        }
    }

    /// Applies the operation to `value`.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] if the place does not exist; `value` is then as it was.
    pub fn apply(&self, value: &mut Value) -> Result<(), ReplayError> {
        match self {
            Self::Add { path, value: new } => add(value, path, new.clone()),
            Self::Remove { path } => take(value, path).map(drop),
            Self::Replace { path, value: new } => {
                let place =
                    value.pointer_mut(path.as_str()).ok_or_else(|| ReplayError::at(path))?;
                *place = new.clone();
                Ok(())
            }
            Self::Move { from, path } => {
                let taken = take(value, from)?;
                add(value, path, taken)
            }
        }
    }

    /// The same operation below `base`.
    #[must_use]
    pub(crate) fn below(self, base: &Pointer) -> Self {
        match self {
            Self::Add { path, value } => Self::Add { path: path.below(base), value },
            Self::Remove { path } => Self::Remove { path: path.below(base) },
            Self::Replace { path, value } => Self::Replace { path: path.below(base), value },
            Self::Move { from, path } => {
                Self::Move { from: from.below(base), path: path.below(base) }
            }
        }
    }
}

/// Puts `new` at `path`: a new object member, or one more item at the end of a list.
fn add(value: &mut Value, path: &Pointer, new: Value) -> Result<(), ReplayError> {
    let Some((parent, key)) = path.split_last() else {
        *value = new;
        return Ok(());
    };
    match value.pointer_mut(parent.as_str()) {
        Some(Value::Object(members)) => {
            members.insert(key, new);
            Ok(())
        }
        Some(Value::Array(items)) if key == "-" || key == items.len().to_string() => {
            items.push(new);
            Ok(())
        }
        _ => Err(ReplayError::at(path)),
    }
}

/// Takes the member at `path` out; the order of the other keys stays.
fn take(value: &mut Value, path: &Pointer) -> Result<Value, ReplayError> {
    let missing = || ReplayError::at(path);
    let (parent, key) = path.split_last().ok_or_else(missing)?;
    let members =
        value.pointer_mut(parent.as_str()).and_then(Value::as_object_mut).ok_or_else(missing)?;
    members.shift_remove(&key).ok_or_else(missing)
}

/// A change cannot be applied to this value: a place it names is not there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReplayError {
    /// The missing place.
    pub path: Pointer,
}

impl ReplayError {
    fn at(path: &Pointer) -> Self {
        Self { path: path.clone() }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a place in this value", self.path)
    }
}

impl std::error::Error for ReplayError {}

/// The stage of the pipeline a change comes from.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Stage {
    /// Reading raw text: a liberty taken; such a change has no operations.
    Read,
    /// Resolving the tool's name.
    Name,
    /// The host's own hook.
    OwnerHook,
    /// A configured preprocessor.
    Preprocess,
    /// A schema-located repair rule.
    Repair,
}

impl Stage {
    /// The stage as records and explanations name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Name => "name",
            Self::OwnerHook => "owner-hook",
            Self::Preprocess => "preprocess",
            Self::Repair => "repair",
        }
    }
}

/// One thing a repair did, and why.
///
/// Applying the operations of all changes in order to what the reader produced gives exactly the
/// repaired arguments; [`replay`] does that.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The rule, liberty or preprocessor, such as `schema.drop-null`.
    pub rule: &'static str,
    /// Where in the pipeline it fired.
    pub stage: Stage,
    /// The place it is about.
    pub pointer: Pointer,
    /// The edits, in order; empty for a liberty of the reader and for a name.
    pub operations: Vec<Operation>,
    /// What the model should do next time: names the field and the right form, never a value.
    pub note: String,
}

impl Change {
    /// The change as data, for `--json` and the tests.
    pub fn to_json(&self) -> Value {
        let operations: Vec<Value> = self.operations.iter().map(Operation::to_json).collect();
        let mut out = Map::new();
        out.insert("rule".into(), self.rule.into());
        out.insert("stage".into(), self.stage.name().into());
        out.insert("pointer".into(), self.pointer.as_str().into());
        out.insert("operations".into(), operations.into());
        out.insert("note".into(), self.note.as_str().into());
        Value::Object(out)
    }
}

/// Applies `changes` in order to `value`.
///
/// # Errors
///
/// [`ReplayError`] at the first operation whose place is missing.
///
/// # Examples
///
/// ```
/// use engine::{Change, Operation, Pointer, Stage, replay};
/// use serde_json::json;
///
/// let change = Change {
///     rule: "schema.drop-null",
///     stage: Stage::Repair,
///     pointer: Pointer::root().child("limit"),
///     operations: vec![Operation::Remove { path: Pointer::root().child("limit") }],
///     note: String::new(),
/// };
/// assert_eq!(replay(json!({"path": "/x", "limit": null}), &[change]), Ok(json!({"path": "/x"})));
/// ```
pub fn replay(mut value: Value, changes: &[Change]) -> Result<Value, ReplayError> {
    let mut operations = changes.iter().flat_map(|change| &change.operations).peekable();
    while let Some(operation) = operations.next() {
        let Operation::Remove { path } = operation else {
            operation.apply(&mut value)?;
            continue;
        };
        let mut paths = vec![path];
        while let Some(next) = operations.peek()
            && let Operation::Remove { path: other } = next
            && other.is_sibling_of(path)
        {
            paths.push(other);
            operations.next();
        }
        remove_siblings(&mut value, &paths)?;
    }
    Ok(value)
}

/// Takes members of one object out in one go: one by one, each would move all that follow it.
fn remove_siblings(value: &mut Value, paths: &[&Pointer]) -> Result<(), ReplayError> {
    let [first, _, ..] = paths else {
        return paths.iter().try_for_each(|path| take(value, path).map(drop));
    };
    let missing = |path: &Pointer| ReplayError::at(path);
    let (parent, _) = first.split_last().ok_or_else(|| missing(first))?;
    let members = value.pointer_mut(parent.as_str()).and_then(Value::as_object_mut);
    let members = members.ok_or_else(|| missing(first))?;
    let mut keys = BTreeSet::new();
    for path in paths {
        let key = path.split_last().map(|(_, key)| key).filter(|key| members.contains_key(key));
        if !keys.insert(key.ok_or_else(|| missing(path))?) {
            return Err(missing(path));
        }
    }
    members.retain(|key, _| !keys.contains(key));
    Ok(())
}

/// A fact worth counting that changed nothing; it never carries a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Observation {
    /// The rule, liberty or preprocessor it is about.
    pub rule: &'static str,
    /// Where in the pipeline.
    pub stage: Stage,
    /// What was seen.
    pub kind: ObservationKind,
}

/// Why an [`Observation`] was made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ObservationKind {
    /// A stricter policy withheld the change.
    Withheld,
    /// The configuration names a kind of preprocessor this engine does not know; it was ignored.
    UnknownKind,
    /// The host's own hook failed; the recovered value went on without it.
    HookFailed,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(key: &str) -> Pointer {
        Pointer::root().child(key)
    }

    #[test]
    fn removals_side_by_side_need_every_member() {
        let change = |paths: &[Pointer]| Change {
            rule: "schema.drop-null",
            stage: Stage::Repair,
            pointer: Pointer::root(),
            operations: paths.iter().cloned().map(|path| Operation::Remove { path }).collect(),
            note: String::new(),
        };
        let value = || json!({"a": 1, "b": {"c": 2, "d": 3}, "e": 4});
        let gone = [at("a"), at("e"), at("b").child("c"), at("b").child("d")];
        assert_eq!(replay(value(), &[change(&gone)]), Ok(json!({"b": {}})));
        for bad in
            [[at("a"), at("a")], [at("a"), at("x")], [at("x").child("a"), at("x").child("b")]]
        {
            assert!(replay(value(), &[change(&bad)]).is_err());
        }
    }

    #[test]
    fn operations_apply_or_leave_the_value() {
        let mut value = json!({"a": 1, "b": [1], "c": 3});
        let steps = [
            Operation::Remove { path: at("a") },
            Operation::Add { path: at("b").item(1), value: json!(2) },
            Operation::Move { from: at("c"), path: at("d") },
            Operation::Replace { path: at("d"), value: json!("x") },
        ];
        for step in &steps {
            assert_eq!(step.apply(&mut value), Ok(()));
        }
        assert_eq!(value, json!({"b": [1, 2], "d": "x"}));
        for step in [
            Operation::Remove { path: at("gone") },
            Operation::Move { from: at("gone"), path: at("b") },
            Operation::Add { path: at("b").item(7), value: json!(0) },
        ] {
            let before = value.clone();
            assert!(step.apply(&mut value).is_err());
            assert_eq!(value, before);
        }
    }

    #[test]
    fn a_change_is_told_as_data() {
        let change = Change {
            rule: "schema.rename",
            stage: Stage::OwnerHook,
            pointer: at("a/b"),
            operations: vec![Operation::Move { from: at("x"), path: at("a/b") }],
            note: "n".to_owned(),
        };
        let operation = json!({"op": "move", "from": "/x", "path": "/a~1b"});
        assert_eq!(
            change.to_json(),
            json!({"rule": "schema.rename", "stage": "owner-hook", "pointer": "/a~1b",
                "operations": [operation], "note": "n"})
        );
        assert_eq!(ReplayError::at(&at("x")).to_string(), "`/x` is not a place in this value");
    }
}
