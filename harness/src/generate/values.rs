//! Strictly valid values for a schema.

use super::{Bias, Subject, anything, shape, words};
use crate::json;
use crate::source::{Choose, Source};
use serde_json::{Map, Value};

/// Valid arguments for a tool. Path fields hold clean paths, and undeclared members never bear a name that
/// the tool's configuration or a call envelope gives a meaning: what comes out means what it says.
pub fn arguments(source: &mut dyn Source, subject: &Subject, bias: &Bias) -> Value {
    let mut maker = Maker { root: &subject.schema, subject: Some(subject), bias };
    let mut value = maker.value(source, &subject.schema, 0);
    for selector in &subject.path_fields {
        for place in json::select(&value, selector) {
            if let Some(slot) = json::at_mut(&mut value, &place).filter(|slot| slot.is_string()) {
                *slot = Value::String(words::path(source));
            }
        }
    }
    value
}

/// A strictly valid value for `schema`, which may refer to its own `$defs`.
pub fn valid(source: &mut dyn Source, schema: &Value, bias: &Bias) -> Value {
    Maker { root: schema, subject: None, bias }.value(source, schema, 0)
}

struct Maker<'a> {
    root: &'a Value,
    subject: Option<&'a Subject>,
    bias: &'a Bias,
}

/// Below this, optional members are left out and lists stay empty: recursive schemas end here.
const DEPTH_MAX: u32 = 7;

impl Maker<'_> {
    fn value(&mut self, source: &mut dyn Source, schema: &Value, depth: u32) -> Value {
        let schema = shape::resolve(self.root, schema);
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        for union in ["enum", "anyOf", "oneOf"] {
            if let Some(options) = schema.get(union).and_then(Value::as_array) {
                let option = source.pick(options);
                return if union == "enum" {
                    option.clone()
                } else {
                    self.value(source, option, depth)
                };
            }
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => source.pick(kinds).as_str(),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("string") => Value::String(self.text(source, schema)),
            Some("integer") => integer(source, schema),
            Some("number") => anything::number(source),
            Some("boolean") => Value::Bool(source.chance(1, 2)),
            Some("null") => Value::Null,
            Some("array") => self.list(source, schema, depth),
            Some("object") => self.object(source, schema, depth),
            _ => anything::value(source, self.bias, 2),
        }
    }

    fn text(&mut self, source: &mut dyn Source, schema: &Value) -> String {
        let text = words::any(source, self.bias);
        let most = bound(schema, "maxLength").unwrap_or(usize::MAX);
        let mut text: String = text.chars().take(most).collect();
        while text.chars().count() < bound(schema, "minLength").unwrap_or(0) {
            text.push('x');
        }
        text
    }

    fn list(&mut self, source: &mut dyn Source, schema: &Value, depth: u32) -> Value {
        let least = bound(schema, "minItems").unwrap_or(0);
        let most = bound(schema, "maxItems").unwrap_or(self.bias.items_max as usize);
        let room = most.saturating_sub(least);
        let extra = match source.below(3) {
            _ if depth >= DEPTH_MAX => 0,
            2 if least == 0 => room.min(1),
            _ => source.index(room + 1),
        };
        let free = Value::Bool(true);
        let items = schema.get("items").unwrap_or(&free);
        Value::Array((0..least + extra).map(|_| self.value(source, items, depth + 1)).collect())
    }

    fn object(&mut self, source: &mut dyn Source, schema: &Value, depth: u32) -> Value {
        let mut map = Map::new();
        for (name, field) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let optional = !shape::requires(schema, name);
            if optional && (depth >= DEPTH_MAX || !source.chance(1, 2)) {
                continue;
            }
            map.insert(name.clone(), self.value(source, field, depth + 1));
        }
        let open = schema.get("additionalProperties") != Some(&Value::Bool(false));
        if open && source.chance(self.bias.extras, 16) {
            self.extras(source, &mut map, schema);
        }
        Value::Object(map)
    }

    fn extras(&mut self, source: &mut dyn Source, map: &mut Map<String, Value>, schema: &Value) {
        let name = *source.pick(&["extra", "x-note", "a/b", "", "__proto__", "~", "9", "reason"]);
        let taken = shape::properties(schema).is_some_and(|declared| declared.contains_key(name));
        if !taken && !self.subject.is_some_and(|subject| subject.is_alias(name)) {
            map.insert(name.to_owned(), anything::value(source, self.bias, 1));
        }
    }
}

fn bound(schema: &Value, keyword: &str) -> Option<usize> {
    schema.get(keyword).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok())
}

fn integer(source: &mut dyn Source, schema: &Value) -> Value {
    let (low, high) = (schema.get("minimum"), schema.get("maximum"));
    let low = low.and_then(Value::as_i64);
    let high = high.and_then(Value::as_i64);
    if low.is_none() && high.is_none() {
        return anything::integer(source);
    }
    let low = low.unwrap_or(-100);
    let span = high.map_or(1000, |high| u32::try_from(high - low).unwrap_or(1000));
    Value::from(low + i64::from(source.below(span + 1)))
}

#[cfg(test)]
mod tests {
    use super::super::{builtins, subject};
    use super::*;
    use crate::source::Seeded;
    use boon::{Compiler, Schemas};

    /// Compiles a schema with the second validator.
    fn check(schema: &Value, value: &Value) -> Result<(), String> {
        let mut compiler = Compiler::new();
        let mut schemas = Schemas::new();
        compiler.add_resource("mem:///tool", schema.clone()).map_err(|error| error.to_string())?;
        let index =
            compiler.compile("mem:///tool", &mut schemas).map_err(|error| error.to_string())?;
        schemas.validate(value, index).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn valid_arguments_are_strictly_valid() {
        let tools = builtins::builtins();
        for case in 0..20_000 {
            let mut source = Seeded::new(1, case);
            let bias =
                source.pick(&[Bias::well_formed(), Bias::near_miss(), Bias::hostile()]).to_owned();
            let subject = subject(&mut source, &tools, &bias);
            let value = arguments(&mut source, &subject, &bias);
            if let Err(error) = check(&subject.schema, &value) {
                panic!("case {case}: {error}\n{}\n{value}", subject.schema);
            }
        }
    }

    #[test]
    fn the_simplest_arguments_are_small() {
        let mut source = crate::source::Replay::default();
        let subject = subject(&mut source, &builtins::builtins(), &Bias::hostile());
        let value = arguments(&mut source, &subject, &Bias::hostile());
        assert_eq!(value.to_string(), r#"{"path":"src/main.rs"}"#);
    }
}
