//! The look over a value.

use serde_json::{Map, Value};

use super::Look;
use super::guard::Guard;
use super::scan::Escapes;
use super::shape::{ARRAY, BOOLEAN, NULL, OBJECT, Shape};

impl Look<'_> {
    /// `None` as soon as something is not sure. Recursion is bounded by `levels`.
    pub(super) fn value(
        self,
        shape: &Shape,
        above: &[Guard],
        value: &Value,
        levels: u32,
    ) -> Option<()> {
        match value {
            Value::Object(members) => self.object(shape, members, levels),
            Value::Array(items) => {
                let (levels, shape) = (levels.checked_sub(1)?, self.narrow(shape, ARRAY)?);
                let item = shape.item();
                items.iter().try_for_each(|value| self.value(item, &[], value, levels))?;
                shape.counts(items.len()).then_some(())
            }
            Value::String(text) => self.text(shape, above, text, Escapes::default()),
            Value::Null => self.narrow(shape, NULL).map(|_| ()),
            Value::Bool(_) => self.narrow(shape, BOOLEAN).map(|_| ()),
            Value::Number(number) => self.number(shape, number.as_i64()),
        }
    }

    fn object(self, shape: &Shape, members: &Map<String, Value>, levels: u32) -> Option<()> {
        let levels = levels.checked_sub(1)?;
        let shape = self.narrow(shape, OBJECT)?;
        let mut seen = 0_u64;
        for (key, value) in members {
            let (bit, member) = shape.member(key)?;
            seen |= bit;
            self.value(member, &shape.member_guards, value, levels)?;
        }
        (seen & shape.required == shape.required).then_some(())
    }
}
