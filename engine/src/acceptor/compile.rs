//! Reads a schema document into shapes.

use serde_json::Value;

use super::shape::{ALL, Extra, MEMBERS_MAX, STRING, Shape, bit, types_of};

/// The most shapes that one document may become; references are written out.
const SHAPES_MAX: u32 = 512;

/// Schemas within schemas, references followed; the reading recurses, so this bounds its stack.
const LEVELS_MAX: u32 = 64;

/// The shape of the whole arguments.
pub(super) fn compile(document: &Value) -> Shape {
    let mut compiler =
        Compiler { document, active: Vec::new(), shapes_left: SHAPES_MAX, levels: LEVELS_MAX };
    compiler.schema(document)
}

struct Compiler<'d> {
    document: &'d Value,
    /// The references being followed; one that leads back into itself is not followed.
    active: Vec<&'d str>,
    shapes_left: u32,
    levels: u32,
}

impl<'d> Compiler<'d> {
    fn schema(&mut self, schema: &'d Value) -> Shape {
        let (Some(left), Some(levels)) =
            (self.shapes_left.checked_sub(1), self.levels.checked_sub(1))
        else {
            return Shape::unknown();
        };
        self.shapes_left = left;
        let Value::Object(members) = schema else {
            return if schema == &Value::Bool(true) { Shape::of(ALL) } else { Shape::unknown() };
        };
        let above = std::mem::replace(&mut self.levels, levels);
        let mut shape = Shape::of(ALL);
        for (keyword, value) in members {
            let understood = self.keyword(&mut shape, keyword, value);
            shape.known &= understood.is_some();
        }
        self.levels = above;
        if let Some(names) = schema.get("required") {
            match required(&shape, names) {
                Some(required) => shape.required = required,
                None => shape.known = false,
            }
        }
        // INVARIANT: what stands beside alternatives is not looked at, so there must be nothing.
        let alone = |name: &String| {
            matches!(name.as_str(), "anyOf" | "oneOf" | "$ref" | "$defs") || is_remark(name)
        };
        shape.known &= shape.branches.is_empty() || members.keys().all(alone);
        shape
    }

    /// Takes one keyword into account; `None` if it is not understood.
    fn keyword(&mut self, shape: &mut Shape, keyword: &str, value: &'d Value) -> Option<()> {
        let at_root = self.levels + 1 == LEVELS_MAX;
        match (keyword, value) {
            ("required" | "$ref" | "anyOf" | "oneOf", _) if !shape.branches.is_empty() => {
                return None;
            }
            ("required", _) | ("additionalProperties", Value::Bool(true)) => {}
            ("$schema" | "$defs" | "definitions", _) if at_root => {}
            ("type", value) => shape.types &= types_of(value)?,
            ("enum", Value::Array(choices)) => choose(shape, choices)?,
            ("const", Value::String(_)) => choose(shape, std::slice::from_ref(value))?,
            ("properties", Value::Object(members)) if members.len() <= MEMBERS_MAX => {
                for (name, part) in members {
                    shape.members.push((name.clone(), Box::new(self.schema(part))));
                }
            }
            ("additionalProperties", Value::Bool(false)) => shape.extra = Extra::Forbidden,
            ("additionalProperties", part) => {
                shape.extra = Extra::Like(Box::new(self.schema(part)));
            }
            ("items", part) => shape.items = Some(Box::new(self.schema(part))),
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                let branches = branches.iter().map(|branch| self.schema(branch)).collect();
                alternate(shape, branches);
            }
            ("$ref", Value::String(target)) => {
                let branch = self.reference(target)?;
                alternate(shape, vec![branch]);
            }
            ("minimum", value) => shape.integers.least = value.as_i64()?,
            ("maximum", value) => shape.integers.most = value.as_i64()?,
            ("minLength", value) => shape.characters.least = value.as_i64()?,
            ("maxLength", value) => shape.characters.most = value.as_i64()?,
            ("minItems", value) => shape.count.least = value.as_i64()?,
            ("maxItems", value) => shape.count.most = value.as_i64()?,
            (name, _) if is_remark(name) => {}
            _ => return None,
        }
        Some(())
    }

    fn reference(&mut self, target: &'d str) -> Option<Shape> {
        let pointer = target.strip_prefix('#').filter(|pointer| !pointer.contains('%'))?;
        if self.active.contains(&target) {
            return None;
        }
        let schema = self.document.pointer(pointer)?;
        self.active.push(target);
        let shape = self.schema(schema);
        self.active.pop();
        Some(shape)
    }
}

/// Keywords that rule nothing out.
fn is_remark(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
    )
}

/// Only the listed texts are left; lists of anything else are not understood.
fn choose(shape: &mut Shape, choices: &[Value]) -> Option<()> {
    if shape.choices.is_some() {
        return None;
    }
    let texts = choices.iter().map(|choice| choice.as_str().map(str::to_owned));
    shape.choices = Some(texts.collect::<Option<_>>()?);
    shape.types &= STRING;
    Some(())
}

/// Makes a shape of alternatives.
fn alternate(shape: &mut Shape, branches: Vec<Shape>) {
    shape.types = branches.iter().fold(0, |types, branch| types | branch.types);
    shape.branches = branches;
}

/// The bits of the required members; `None` if one is not declared.
fn required(shape: &Shape, names: &Value) -> Option<u64> {
    names.as_array()?.iter().try_fold(0, |required, name| {
        let at = shape.members.iter().position(|(known, _)| name.as_str() == Some(known))?;
        Some(required | bit(at)?)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::shape::{ARRAY, INTEGER, Narrowed, Types};
    use super::*;

    fn narrowed(shape: &Shape, types: Types) -> Option<&Shape> {
        match shape.narrow(types) {
            Narrowed::To(shape) => Some(shape),
            _ => None,
        }
    }

    #[test]
    fn bounds_and_alternatives_are_read() {
        let shape = compile(&json!({"type": "object", "required": ["a"], "properties": {
            "a": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]},
            "b": {"$ref": "#/$defs/b"}, "c": {"pattern": "x"}},
            "$defs": {"b": {"type": "integer", "minimum": 1, "maximum": 5}}}));
        assert!(shape.known && shape.required == 1);
        let member = |name: &str| shape.member(name).expect("declared").1;
        assert!(narrowed(member("a"), STRING).is_some_and(|text| !text.lists("", true)));
        assert!(matches!(member("a").narrow(INTEGER), Narrowed::Never));
        assert!(matches!(member("c").narrow(STRING), Narrowed::Unclear));
        let number = narrowed(member("b"), INTEGER).expect("an integer");
        assert!(number.takes_number(Some(5)) && !number.takes_number(Some(6)));
        assert!(!number.takes_number(None));
        let mut free = compile(&json!({"type": ["string", "array"]}));
        free.settle();
        assert_eq!(free.free, STRING);
    }

    #[test]
    fn a_reference_into_itself_is_unclear() {
        let node = json!({"type": "array", "items": {"$ref": "#/$defs/node"}});
        let shape = compile(&json!({"$ref": "#/$defs/node", "$defs": {"node": node}}));
        let list = narrowed(&shape, ARRAY).expect("a list");
        assert!(matches!(list.item().narrow(ARRAY), Narrowed::Unclear));
    }
}
