//! The tool's schema: the compiled validator, and a view that tells what a place expects.

use std::fmt;

use jsonschema::{ValidationError, Validator, ValidatorMap};
use serde_json::{Map, Value};

use crate::{ConfigError, Pointer};

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Schema {
    document: Value,
    validator: Validator,
    /// Validators of all subschemas, only for documents with unions.
    parts: Option<ValidatorMap>,
}

impl Schema {
    /// Compiles `document`; nothing outside it is ever fetched.
    pub(crate) fn compile(document: Value) -> Result<Self, ConfigError> {
        let place = |error: ValidationError<'_>| ConfigError::Schema {
            at: Pointer::from_escaped(error.instance_path().as_str()),
            says: error.masked().to_string(),
        };
        if crate::depth::is_deeper_than(&document, 64) {
            return Err(ConfigError::Schema {
                at: Pointer::root(),
                says: "the schema nests deeper than 64 levels".to_owned(),
            });
        }
        let options = jsonschema::options().offline();
        let validator = options.build(&document).map_err(place)?;
        let parts = if mentions_union(&document) {
            Some(options.build_map(&document).map_err(place)?)
        } else {
            None
        };
        Ok(Self { document, validator, parts })
    }

    pub(crate) fn document(&self) -> &Value {
        &self.document
    }

    pub(crate) fn validator(&self) -> &Validator {
        &self.validator
    }

    /// The validator of the subschema at `at`, an escaped pointer into the document.
    pub(crate) fn part(&self, at: &str) -> Option<&Validator> {
        let parts = self.parts.as_ref()?;
        parts.get(&format!("#{at}"))
    }

    /// What the whole arguments must be.
    pub(crate) fn root(&self) -> Node<'_> {
        Node::gather(&self.document, [(&self.document, String::new())])
    }
}

/// True if `anyOf` or `oneOf` stands anywhere in the document.
fn mentions_union(document: &Value) -> bool {
    let mut pending = vec![document];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                if members.contains_key("anyOf") || members.contains_key("oneOf") {
                    return true;
                }
                pending.extend(members.values());
            }
            Value::Array(items) => pending.extend(items),
            _ => {}
        }
    }
    false
}

/// The JSON types a place accepts.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) struct Types(u8);

/// One row a type: bit, name in JSON Schema.
const TYPES: [(u8, &str); 7] = [
    (1, "null"),
    (2, "boolean"),
    (4, "integer"),
    (8, "number"),
    (16, "string"),
    (32, "array"),
    (64, "object"),
];

impl Types {
    const NONE: Self = Self(0);
    const ALL: Self = Self(127);
    const NUMBERS: Self = Self(12);

    /// The type of a value; an integral number is both integer and number.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self(1),
            Value::Bool(_) => Self(2),
            Value::Number(number) if is_integral(number) => Self::NUMBERS,
            Value::Number(_) => Self(8),
            Value::String(_) => Self(16),
            Value::Array(_) => Self(32),
            Value::Object(_) => Self(64),
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "number" => Self::NUMBERS,
            _ => TYPES.iter().find(|row| row.1 == name).map_or(Self::NONE, |row| Self(row.0)),
        }
    }

    /// True if some type is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// True if strings are accepted.
    pub(crate) fn string(self) -> bool {
        self.meets(Self(16))
    }

    /// True if lists are accepted.
    pub(crate) fn array(self) -> bool {
        self.meets(Self(32))
    }

    /// True if objects are accepted.
    pub(crate) fn object(self) -> bool {
        self.meets(Self(64))
    }

    /// True if booleans are accepted.
    pub(crate) fn boolean(self) -> bool {
        self.meets(Self(2))
    }

    /// True if numbers of some kind are accepted.
    pub(crate) fn number(self) -> bool {
        self.meets(Self::NUMBERS)
    }

    /// True if nothing is ruled out.
    pub(crate) fn is_anything(self) -> bool {
        self == Self::ALL
    }

    /// The names, joined for a reader: `string or null`.
    pub(crate) fn describe(self) -> String {
        if self.is_anything() {
            return "any value".to_owned();
        }
        let names: Vec<&str> = TYPES
            .iter()
            .filter(|(bit, _)| self.0 & bit != 0 && !(*bit == 4 && self.0 & 8 != 0))
            .map(|(_, name)| *name)
            .collect();
        names.join(" or ")
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.describe())
    }
}

/// True for numbers without a fraction, `5.0` included.
fn is_integral(number: &serde_json::Number) -> bool {
    number.as_f64().is_some_and(|value| value.fract() == 0.0)
}

/// What a place must be: all schema objects that apply to it together.
#[derive(Clone, Debug)]
pub(crate) struct Node<'s> {
    document: &'s Value,
    facets: Vec<(&'s Map<String, Value>, String)>,
}

/// The most schema objects that may apply to one place; beyond, the view sees no more of them.
const FACETS_MAX: usize = 64;

impl<'s> Node<'s> {
    /// All facets reached from `starts` through `$ref` and `allOf`.
    fn gather(document: &'s Value, starts: impl IntoIterator<Item = (&'s Value, String)>) -> Self {
        let mut facets: Vec<(&'s Map<String, Value>, String)> = Vec::new();
        let mut pending: Vec<(&'s Value, String)> = starts.into_iter().collect();
        while let Some((schema, at)) = pending.pop() {
            let Some(members) = schema.as_object() else { continue };
            if facets.len() >= FACETS_MAX || facets.iter().any(|(_, seen)| *seen == at) {
                continue;
            }
            if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                pending.extend(local_target(document, target));
            }
            if let Some(Value::Array(all)) = members.get("allOf") {
                let below = |(index, part)| (part, format!("{at}/allOf/{index}"));
                pending.extend(all.iter().enumerate().map(below));
            }
            facets.push((members, at));
        }
        Self { document, facets }
    }

    /// True if the schema says anything of this place.
    pub(crate) fn is_described(&self) -> bool {
        !self.facets.is_empty()
    }

    /// The types accepted here, unions included.
    pub(crate) fn types(&self) -> Types {
        self.types_within(8)
    }

    fn types_within(&self, levels: u8) -> Types {
        let own = self
            .facets
            .iter()
            .fold(Types::ALL, |types, (schema, _)| Types(types.0 & facet_types(schema).0));
        let Some(levels) = levels.checked_sub(1) else { return own };
        self.unions().iter().fold(own, |types, union| {
            let any = union.branches.iter().fold(Types::NONE, |types, (branch, at)| {
                let node = Self::gather(self.document, [(*branch, at.clone())]);
                Types(types.0 | node.types_within(levels).0)
            });
            Types(types.0 & any.0)
        })
    }

    /// The members of `enum` and `const` here.
    pub(crate) fn choices(&self) -> Vec<&'s Value> {
        let mut choices = Vec::new();
        for (schema, _) in &self.facets {
            if let Some(Value::Array(members)) = schema.get("enum") {
                choices.extend(members);
            }
            choices.extend(schema.get("const"));
        }
        choices
    }

    /// True if member `key` must be present.
    pub(crate) fn requires(&self, key: &str) -> bool {
        self.required().any(|name| name == key)
    }

    /// True for a declared field that need not be present. A member that only a pattern or an open
    /// object describes is data, not a field.
    pub(crate) fn leaves_out(&self, key: &str) -> bool {
        !self.requires(key) && self.properties().any(|name| name == key)
    }

    /// The members that must be present.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.facets
            .iter()
            .filter_map(|(schema, _)| schema.get("required").and_then(Value::as_array))
            .flatten()
            .filter_map(Value::as_str)
    }

    /// The declared members, in the schema's order.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.facets
            .iter()
            .filter_map(|(schema, _)| schema.get("properties").and_then(Value::as_object))
            .flat_map(|members| members.keys().map(String::as_str))
    }

    /// True if the schema names member `key`, in a union's branch too.
    pub(crate) fn declares(&self, key: &str) -> bool {
        self.declares_within(key, 8)
    }

    fn declares_within(&self, key: &str, levels: u8) -> bool {
        let own = self.facets.iter().any(|(schema, _)| {
            schema.get("properties").and_then(|members| members.get(key)).is_some()
                || schema.contains_key("patternProperties")
        });
        let Some(levels) = levels.checked_sub(1) else { return own };
        own || self.unions().iter().any(|union| {
            union.branches.iter().any(|(branch, at)| {
                Self::gather(self.document, [(*branch, at.clone())]).declares_within(key, levels)
            })
        })
    }

    /// True if the schema says something about members it does not name.
    pub(crate) fn opens_members(&self) -> bool {
        self.facets.iter().any(|(schema, _)| {
            schema.contains_key("additionalProperties") || schema.contains_key("patternProperties")
        })
    }

    /// What member `key` must be; without facets if the schema says nothing of it.
    pub(crate) fn property(&self, key: &str) -> Self {
        let segment = Pointer::root().child(key);
        let starts = self.facets.iter().filter_map(|(schema, at)| {
            let named = schema.get("properties").and_then(|members| members.get(key));
            match named {
                Some(schema) => Some((schema, format!("{at}/properties{segment}"))),
                None => Some((
                    schema.get("additionalProperties")?,
                    format!("{at}/additionalProperties"),
                )),
            }
        });
        Self::gather(self.document, starts)
    }

    /// True if the first items of a list here are described one by one.
    pub(crate) fn is_tuple(&self) -> bool {
        self.facets.iter().any(|(schema, _)| schema.contains_key("prefixItems"))
    }

    /// What item `index` must be.
    pub(crate) fn item(&self, index: usize) -> Self {
        let starts = self.facets.iter().filter_map(|(schema, at)| {
            let fixed = schema.get("prefixItems").and_then(|items| items.get(index));
            match fixed {
                Some(schema) => Some((schema, format!("{at}/prefixItems/{index}"))),
                None => Some((schema.get("items")?, format!("{at}/items"))),
            }
        });
        Self::gather(self.document, starts)
    }

    /// What the place at `pointer` below this one must be, given the value there.
    pub(crate) fn walk(&self, pointer: &Pointer, value: &Value) -> Self {
        let mut node = self.clone();
        let mut here = Some(value);
        for segment in pointer.segments() {
            let list = here.is_some_and(Value::is_array);
            node = match segment.parse() {
                Ok(index) if list => node.item(index),
                _ => node.property(&segment),
            };
            here = here.and_then(|value| match value {
                Value::Array(items) => segment.parse::<usize>().ok().and_then(|at| items.get(at)),
                Value::Object(members) => members.get(&segment),
                _ => None,
            });
        }
        node
    }

    /// The unions that apply here.
    pub(crate) fn unions(&self) -> Vec<Union<'s>> {
        let mut unions = Vec::new();
        for (schema, at) in &self.facets {
            for keyword in ["anyOf", "oneOf"] {
                let Some(Value::Array(branches)) = schema.get(keyword) else { continue };
                let below = |(index, branch)| (branch, format!("{at}/{keyword}/{index}"));
                unions.push(Union { branches: branches.iter().enumerate().map(below).collect() });
            }
        }
        unions
    }

    /// The view of one branch of a union.
    pub(crate) fn branch(&self, schema: &'s Value, at: &str) -> Self {
        Self::gather(self.document, [(schema, at.to_owned())])
    }
}

/// One `anyOf` or `oneOf`: its branches, each with its place in the document.
#[derive(Debug)]
pub(crate) struct Union<'s> {
    pub(crate) branches: Vec<(&'s Value, String)>,
}

/// The types one schema object accepts by `type`, `enum` and `const`.
fn facet_types(schema: &Map<String, Value>) -> Types {
    let declared = match schema.get("type") {
        Some(Value::String(name)) => Types::named(name),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .fold(Types::NONE, |types, name| Types(types.0 | Types::named(name).0)),
        _ => Types::ALL,
    };
    let of_members = |members: &[Value]| {
        members.iter().fold(Types::NONE, |types, member| Types(types.0 | Types::of(member).0))
    };
    let listed = match schema.get("enum") {
        Some(Value::Array(members)) => of_members(members),
        _ => Types::ALL,
    };
    let fixed = schema.get("const").map_or(Types::ALL, Types::of);
    Types(declared.0 & listed.0 & fixed.0)
}

/// The schema that a local reference names, with its place; nothing for any other reference.
fn local_target<'s>(document: &'s Value, target: &str) -> Option<(&'s Value, String)> {
    let fragment = target.strip_prefix('#')?;
    if fragment.contains('%') {
        return None;
    }
    Some((document.pointer(fragment)?, fragment.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_view_follows_references_and_unions() {
        let schema = Schema::compile(json!({
            "type": "object",
            "required": ["a/b"],
            "properties": {
                "a/b": {"$ref": "#/$defs/list"},
                "target": {"oneOf": [{"type": "object", "properties": {"kind": {"const": "x"}}}, {"type": "null"}]}
            },
            "$defs": {"list": {"type": "array", "items": {"type": ["string", "null"]}}}
        }))
        .expect("compiles");
        let root = schema.root();
        assert!(root.requires("a/b") && root.declares("target") && !root.declares("b"));
        assert_eq!(root.property("a/b").types().describe(), "array");
        assert_eq!(root.property("a/b").item(3).types().describe(), "null or string");
        assert_eq!(root.property("target").types().describe(), "null or object");
        let union = root.property("target").unions().remove(0);
        assert_eq!(union.branches.len(), 2);
        for (_, at) in &union.branches {
            assert!(schema.part(at).is_some(), "{at}");
        }
    }

    #[test]
    fn a_schema_that_cannot_be_compiled_names_the_place() {
        for broken in [
            json!({"properties": {"x": {"type": "strnig"}}}),
            json!({"$ref": "https://example.org/s"}),
            json!({"pattern": "("}),
        ] {
            assert!(matches!(Schema::compile(broken), Err(ConfigError::Schema { .. })));
        }
    }

    #[test]
    fn types_are_told_and_compared() {
        let types =
            |schema: Value| Node::gather(&schema, [(&schema, String::new())]).types().describe();
        for (schema, described) in [
            (json!({}), "any value"),
            (json!({"type": TYPES.map(|row| row.1)}), "any value"),
            (json!({"type": "integer"}), "integer"),
            (json!({"type": "number"}), "number"),
            (json!({"type": ["integer", "number"], "enum": [5]}), "number"),
            (json!({"enum": ["a", "b"]}), "string"),
            (json!({"enum": ["a", null]}), "null or string"),
            (
                json!({"anyOf": [{"type": "string"}, {"type": ["null", "string"]}]}),
                "null or string",
            ),
            (json!({"allOf": [{"type": ["null", "string"]}, {"type": "string"}]}), "string"),
        ] {
            assert_eq!(types(schema.clone()), described, "{schema}");
        }
        for (number, types) in [
            (json!(5), Types::NUMBERS),
            (json!(5.0), Types::NUMBERS),
            (json!(u64::MAX), Types::NUMBERS),
            (json!(5.5), Types(8)),
        ] {
            assert!(Types::of(&number) == types, "{number}");
        }
        assert!(Types::named("number") == Types::NUMBERS);
        assert!(!Types::named("string").boolean() && !Types::named("string").number());
    }

    #[test]
    fn a_place_tells_what_is_declared() {
        let schema = json!({"required": ["a"], "properties": {"a": {}, "b": {}},
            "$defs": {"loop": {"allOf": [{"$ref": "#/$defs/loop"}]},
                "wide": {"allOf": vec![json!({}); 70]}}});
        let node = |at: &str| {
            let part = schema.pointer(at).expect("a part");
            Node::gather(&schema, [(part, at.to_owned())])
        };
        let root = node("");
        assert!(root.leaves_out("b") && !root.leaves_out("a") && !root.leaves_out("c"));
        assert!(root.property("a").is_described() && !root.property("c").is_described());
        assert_eq!(node("/$defs/loop").facets.len(), 2);
        assert_eq!(node("/$defs/wide").facets.len(), FACETS_MAX);
        let says = |schema: Value| {
            let node = Node::gather(&schema, [(&schema, String::new())]);
            (node.opens_members(), node.is_tuple())
        };
        assert_eq!(says(json!({"additionalProperties": false})), (true, false));
        assert_eq!(says(json!({"patternProperties": {}})), (true, false));
        assert_eq!(says(json!({"prefixItems": []})), (false, true));
        assert!(mentions_union(&json!({"allOf": [{"oneOf": []}]})));
        assert!(!mentions_union(&json!({"allOf": [{"type": "null"}]})));
    }
}
