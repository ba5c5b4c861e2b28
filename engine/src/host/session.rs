//! One conversion in progress: the profile, the work left, and the validators compiled so far.

use std::collections::BTreeMap;

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use super::{HostProfile, SchemaOrigin};

/// Levels of nesting that schema and arguments may have.
const DEPTH_MAX: usize = 128;
/// Nodes that one conversion may visit, checks included.
const STEPS_MAX: u64 = 4_000_000;
/// Keywords that point elsewhere in a schema.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// Keywords whose content is data.
const DATA_KEYWORDS: [&str; 4] = ["const", "enum", "default", "examples"];
/// Type names with the keywords that, beside a `type` list, bound the oldest host to that type.
const BINDING_KEYWORDS: [(&str, &[&str]); 4] = [
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
        ],
    ),
    ("array", &["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]),
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
];

/// Keywords among these that say nothing while they name no property.
const NAMING_KEYWORDS: [&str; 5] =
    ["properties", "required", "patternProperties", "dependentRequired", "dependentSchemas"];

/// The model does not know what the host would do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unmodelled;

/// The check of one schema node.
struct Check {
    /// What the host accepts.
    host: Validator,
    /// What JSON Schema accepts, where that is more.
    listed: Option<Validator>,
}

/// State of one conversion.
///
/// Validators are kept by the address of their schema node. INVARIANT: the schema is borrowed and
/// unmoved for the whole conversion, so an address names one node.
pub(super) struct Session {
    profile: HostProfile,
    origin: SchemaOrigin,
    steps_left: u64,
    checks: BTreeMap<*const Value, Option<Check>>,
    patterns: BTreeMap<String, Validator>,
}

impl Session {
    pub(super) fn new(profile: HostProfile, origin: SchemaOrigin) -> Self {
        Self {
            profile,
            origin,
            steps_left: STEPS_MAX,
            checks: BTreeMap::new(),
            patterns: BTreeMap::new(),
        }
    }

    /// Whether schemas are read by `TypeBox`'s marks rather than by their JSON.
    pub(super) fn reads_marks(&self) -> bool {
        self.profile != HostProfile::Pi15
    }

    pub(super) fn is_typebox(&self) -> bool {
        self.origin == SchemaOrigin::TypeBox
    }

    pub(super) fn drops_optional_nulls(&self) -> bool {
        self.profile != HostProfile::Pi080
    }

    /// Whether the host fails over `null` among the members of an enum it reads by its mark.
    pub(super) fn fails_over_null_members(&self) -> bool {
        self.profile == HostProfile::Pi085
    }

    /// Whether the type pass leaves a union's value alone when a branch accepts it.
    pub(super) fn keeps_accepted_union_values(&self) -> bool {
        self.profile != HostProfile::Pi080
    }

    /// Whether every pass knows `patternProperties`, `prefixItems` and boolean schemas.
    pub(super) fn walks_all_members(&self) -> bool {
        self.profile == HostProfile::Pi15
    }

    /// Whether root arguments that coercion turned into or from a scalar escape the final check.
    pub(super) fn returns_unchecked_roots(&self) -> bool {
        self.profile != HostProfile::Pi15
    }

    /// Pays for `steps` visited nodes.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Unmodelled> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Unmodelled)?;
        Ok(())
    }

    /// Whether `value` passes the schema `node`; `None` if the host could not compile it.
    pub(super) fn passes(
        &mut self,
        node: &Value,
        value: &Value,
    ) -> Result<Option<bool>, Unmodelled> {
        self.spend(size(value))?;
        let profile = self.profile;
        let check = self
            .checks
            .entry(std::ptr::from_ref(node))
            .or_insert_with(|| Check::compile(profile, node));
        let Some(check) = check else { return Ok(None) };
        let accepts = check.host.is_valid(value);
        // Where the oldest host's narrower reading decides, it throws as often as it says no.
        let is_certain = check.listed.as_ref().is_none_or(|all| all.is_valid(value) == accepts);
        if is_certain { Ok(Some(accepts)) } else { Err(Unmodelled) }
    }

    /// Whether the regular expression `pattern` finds something in `text`.
    pub(super) fn finds(&mut self, pattern: &str, text: &str) -> Result<bool, Unmodelled> {
        self.spend(1)?;
        if !self.patterns.contains_key(pattern) {
            let compiled = compile(&json!({ "pattern": pattern })).ok_or(Unmodelled)?;
            self.patterns.insert(pattern.to_owned(), compiled);
        }
        let validator = self.patterns.get(pattern).ok_or(Unmodelled)?;
        Ok(validator.is_valid(&Value::from(text)))
    }
}

/// Fails for inputs the model does not cover, before anything recursive touches them.
pub(super) fn survey(schema: &Value, args: &Value) -> Result<(), Unmodelled> {
    let refers = |map: &Map<String, Value>| {
        REFERENCES.iter().any(|key| map.get(*key).is_some_and(Value::is_string))
    };
    survey_one(args, |_| false)?;
    survey_one(schema, refers)
}

fn survey_one(
    root: &Value,
    refuses: impl Fn(&Map<String, Value>) -> bool,
) -> Result<(), Unmodelled> {
    let mut open = vec![(root, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEPTH_MAX {
            return Err(Unmodelled);
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) if refuses(map) => return Err(Unmodelled),
            Value::Object(map) => open.extend(map.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

fn size(root: &Value) -> u64 {
    let mut count = 0;
    let mut open = vec![root];
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => open.extend(map.values()),
            _ => {}
        }
    }
    count
}

impl Check {
    fn compile(profile: HostProfile, node: &Value) -> Option<Self> {
        let listed = compile(node)?;
        if profile != HostProfile::Pi080 {
            return Some(Self { host: listed, listed: None });
        }
        let bound = bound_type_lists(node.clone());
        if bound == *node {
            return Some(Self { host: listed, listed: None });
        }
        Some(Self { host: compile(&bound)?, listed: Some(listed) })
    }
}

/// Item lists are older than draft 2020-12, `prefixItems` is new in it, and the host knows both.
fn compile(node: &Value) -> Option<Validator> {
    [Draft::Draft202012, Draft::Draft201909].into_iter().find_map(|draft| {
        jsonschema::options().with_draft(draft).should_validate_formats(true).build(node).ok()
    })
}

/// Shortens every `type` list to what the oldest host makes of it.
fn bound_type_lists(node: Value) -> Value {
    match node {
        Value::Array(items) => items.into_iter().map(bound_type_lists).collect(),
        Value::Object(mut map) => {
            let bound = bound_types(&map);
            if let (Some(types), false) = (map.get_mut("type"), bound.is_empty()) {
                *types = Value::from(bound);
            }
            let rebuilt = map.into_iter().map(|(key, item)| {
                let is_data = DATA_KEYWORDS.contains(&key.as_str());
                let item = if is_data { item } else { bound_type_lists(item) };
                (key, item)
            });
            Value::Object(rebuilt.collect())
        }
        scalar => scalar,
    }
}

fn bound_types(map: &Map<String, Value>) -> Vec<&'static str> {
    let Some(Value::Array(types)) = map.get("type") else { return Vec::new() };
    let binds = |&(name, keywords): &(&'static str, &[&str])| {
        let is_listed = types.iter().any(|listed| listed == name);
        let says_something = |key: &&str| {
            map.get(*key)
                .is_some_and(|content| !NAMING_KEYWORDS.contains(key) || !is_empty(content))
        };
        (is_listed && keywords.iter().any(says_something)).then_some(name)
    };
    BINDING_KEYWORDS.iter().filter_map(binds).collect()
}

fn is_empty(content: &Value) -> bool {
    match content {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted_and_ends() {
        assert_eq!(size(&json!(1)), 1);
        assert_eq!(size(&json!([1, {"a": 2, "b": []}])), 5);
        let mut session = Session::new(HostProfile::Pi15, SchemaOrigin::TypeBox);
        assert!(session.spend(STEPS_MAX).is_ok() && session.spend(1).is_err());
        assert!(session.passes(&json!({}), &json!(1)).is_err());
    }

    #[test]
    fn a_schema_that_points_elsewhere_is_not_modelled() {
        assert!(survey(&json!({"items": {"$ref": "#/$defs/a"}}), &json!({})).is_err());
        let named = json!({"properties": {"$ref": {"type": "string"}}});
        assert!(survey(&named, &json!({"$ref": "#"})).is_ok());
    }
}
