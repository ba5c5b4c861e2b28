//! The look over raw text.

use super::Look;
use super::guard::Guard;
use super::scan::Cursor;
use super::shape::{ARRAY, BOOLEAN, NULL, OBJECT, Shape};

/// Undeclared members looked at in one object; each is compared with the others.
const EXTRAS_MAX: usize = 8;

/// True if `text` is strict JSON, and of this shape as far as can be told.
pub(super) fn passes(text: &str, root: &Shape, look: Look<'_>) -> bool {
    let mut reader = Reader { cursor: Cursor::new(text), look };
    let is_object = reader.cursor.next_token() == Some(b'{');
    is_object
        && reader.value(root, &[], look.levels()).is_some()
        && reader.cursor.next_token().is_none()
}

/// A look that is under way. Every method gives `None` as soon as something is not sure.
struct Reader<'t, 'c> {
    cursor: Cursor<'t>,
    look: Look<'c>,
}

impl Reader<'_, '_> {
    /// Recursion is bounded by `levels`.
    fn value(&mut self, shape: &Shape, above: &[Guard], levels: u32) -> Option<()> {
        let (types, letters) = match self.cursor.next_token()? {
            b'"' => {
                let (text, escapes) = self.cursor.string()?;
                return self.look.text(shape, above, text, escapes);
            }
            b'{' => return self.object(shape, levels),
            b'[' => return self.array(shape, levels),
            b't' => (BOOLEAN, "true"),
            b'f' => (BOOLEAN, "false"),
            b'n' => (NULL, "null"),
            _ => {
                let number = self.cursor.number()?;
                return self.look.number(shape, number.0);
            }
        };
        self.cursor.literal(letters)?;
        self.look.narrow(shape, types).map(|_| ())
    }

    fn array(&mut self, shape: &Shape, levels: u32) -> Option<()> {
        let levels = levels.checked_sub(1)?;
        let shape = self.look.narrow(shape, ARRAY)?;
        let mut items = 0;
        self.cursor.step();
        if self.cursor.next_token()? == b']' {
            self.cursor.step();
            return shape.counts(0).then_some(());
        }
        loop {
            self.value(shape.item(), &[], levels)?;
            items += 1;
            match self.cursor.next_token()? {
                b',' => self.cursor.step(),
                b']' => break,
                _ => return None,
            }
        }
        self.cursor.step();
        shape.counts(items).then_some(())
    }

    fn object(&mut self, shape: &Shape, levels: u32) -> Option<()> {
        let levels = levels.checked_sub(1)?;
        let shape = self.look.narrow(shape, OBJECT)?;
        let mut seen = 0_u64;
        let mut extras = Extras { names: [""; EXTRAS_MAX], used: 0 };
        self.cursor.step();
        if self.cursor.next_token()? == b'}' {
            self.cursor.step();
            return (shape.required == 0).then_some(());
        }
        loop {
            if self.cursor.next_token()? != b'"' {
                return None;
            }
            let (key, escapes) = self.cursor.string()?;
            let (bit, member) = shape.member(key)?;
            if escapes.any || seen & bit != 0 || (bit == 0 && !extras.add(key)) {
                return None;
            }
            seen |= bit;
            self.cursor.expect(b':')?;
            self.value(member, &shape.member_guards, levels)?;
            match self.cursor.next_token()? {
                b',' => self.cursor.step(),
                b'}' => break,
                _ => return None,
            }
        }
        self.cursor.step();
        (seen & shape.required == shape.required).then_some(())
    }
}

/// The undeclared members of one object so far.
struct Extras<'t> {
    names: [&'t str; EXTRAS_MAX],
    used: usize,
}

impl<'t> Extras<'t> {
    /// Takes one more; false if it was there before, or there are too many to compare.
    fn add(&mut self, name: &'t str) -> bool {
        let known = self.names.iter().take(self.used).any(|known| *known == name);
        match self.names.get_mut(self.used) {
            Some(slot) if !known => {
                *slot = name;
                self.used += 1;
                true
            }
            _ => false,
        }
    }
}
