//! The plain part of a schema: types, members, items, choices, bounds; everything else is unknown.

use serde_json::Value;

use super::guard::Guard;

/// A set of JSON types, one bit each.
pub(super) type Types = u8;

pub(super) const NULL: Types = 1;
pub(super) const BOOLEAN: Types = 2;
pub(super) const INTEGER: Types = 4;
/// A number that is not spelled as an integer; it may be one all the same.
pub(super) const FRACTION: Types = 8;
pub(super) const STRING: Types = 16;
pub(super) const ARRAY: Types = 32;
pub(super) const OBJECT: Types = 64;
pub(super) const ALL: Types = 127;

/// The most declared members; a call's are counted in the bits of one word.
pub(super) const MEMBERS_MAX: usize = 64;

/// What one place must look like to be passed without a doubt.
#[derive(Debug)]
pub(super) struct Shape {
    /// False if the schema says something here that is not understood.
    pub(super) known: bool,
    /// No other type is allowed, whatever else there is that is not understood.
    pub(super) types: Types,
    /// The types of which every value passes without another look.
    pub(super) free: Types,
    /// True if a preprocessor may act here or below.
    pub(super) guarded: bool,
    /// Alternatives; a value is held against the only one that takes its type.
    pub(super) branches: Vec<Shape>,
    /// The only texts allowed, if they are listed.
    pub(super) choices: Option<Vec<String>>,
    pub(super) integers: Bounds,
    /// How many characters a text has, and how many items a list.
    pub(super) characters: Bounds,
    pub(super) count: Bounds,
    /// What could touch a text here, and a text among the members.
    pub(super) guards: Vec<Guard>,
    pub(super) member_guards: Vec<Guard>,
    /// The declared members; the index is the bit in `required`.
    pub(super) members: Vec<(String, Box<Shape>)>,
    pub(super) required: u64,
    /// Undeclared members that something might act on.
    watched: Vec<String>,
    pub(super) extra: Extra,
    pub(super) items: Option<Box<Shape>>,
}

/// What undeclared members must be.
#[derive(Debug)]
pub(super) enum Extra {
    Forbidden,
    Anything,
    Like(Box<Shape>),
}

/// The least and the most of something.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Bounds {
    pub(super) const NONE: Self = Self { least: i64::MIN, most: i64::MAX };

    pub(super) fn hold(self, number: i64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    fn hold_count(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| self.hold(count))
    }
}

/// A place the schema says nothing about.
pub(super) static ANYTHING: Shape = Shape::of(ALL);

/// What is known of a place for values of some types.
#[derive(Debug)]
pub(super) enum Narrowed<'s> {
    To(&'s Shape),
    /// The schema takes no such value.
    Never,
    /// The schema says something that is not understood.
    Unclear,
}

impl Shape {
    pub(super) const fn of(types: Types) -> Self {
        Self {
            known: true,
            types,
            free: types & !(ARRAY | OBJECT),
            guarded: false,
            branches: Vec::new(),
            choices: None,
            integers: Bounds::NONE,
            characters: Bounds::NONE,
            count: Bounds::NONE,
            guards: Vec::new(),
            member_guards: Vec::new(),
            members: Vec::new(),
            required: 0,
            watched: Vec::new(),
            extra: Extra::Anything,
            items: None,
        }
    }

    pub(super) fn unknown() -> Self {
        Self { known: false, ..Self::of(ALL) }
    }

    /// Makes an undeclared member `name` a reason to be unsure.
    pub(super) fn watch(&mut self, name: &str) {
        self.branches.iter_mut().for_each(|branch| branch.watch(name));
        if !self.watched.iter().any(|known| known == name) {
            self.watched.push(name.to_owned());
        }
    }

    pub(super) fn watch_all(&mut self, names: &[impl AsRef<str>]) {
        for name in names {
            self.watch(name.as_ref());
        }
    }

    /// The declared member `name`.
    pub(super) fn member_mut(&mut self, name: &str) -> Option<&mut Self> {
        self.members.iter_mut().find(|(known, _)| known == name).map(|(_, shape)| &mut **shape)
    }

    /// What a value of one of `types` must look like; unclear if several alternatives take it.
    pub(super) fn narrow(&self, types: Types) -> Narrowed<'_> {
        let mut shape = self;
        while shape.known && !shape.branches.is_empty() {
            let mut takes = shape.branches.iter().filter(|branch| branch.types & types != 0);
            shape = match (takes.next(), takes.next()) {
                (Some(branch), None) => branch,
                (None, _) => return Narrowed::Never,
                _ => return Narrowed::Unclear,
            };
        }
        match shape.types & types {
            0 => Narrowed::Never,
            _ if shape.known => Narrowed::To(shape),
            _ => Narrowed::Unclear,
        }
    }

    /// Notes which types are free, here and below, once all guards are set.
    pub(super) fn settle(&mut self) {
        self.branches.iter_mut().for_each(Self::settle);
        self.members.iter_mut().for_each(|(_, member)| member.settle());
        self.items.iter_mut().for_each(|items| items.settle());
        if let Extra::Like(extra) = &mut self.extra {
            extra.settle();
        }
        let mut free = self.types & !(ARRAY | OBJECT);
        if self.choices.is_some() || self.characters != Bounds::NONE || !self.guards.is_empty() {
            free &= !STRING;
        }
        if self.integers != Bounds::NONE {
            free &= !(INTEGER | FRACTION);
        }
        self.free = if self.known && self.branches.is_empty() { free } else { 0 };
    }

    /// What member `key` must look like, and its bit; no bit for an undeclared one.
    pub(super) fn member(&self, key: &str) -> Option<(u64, &Self)> {
        let mut members = self.members.iter().enumerate();
        if let Some((at, (_, shape))) = members.find(|(_, (name, _))| is_same(name, key)) {
            return Some((bit(at)?, shape));
        }
        if key.contains('<') || self.watched.iter().any(|name| name == key) {
            return None;
        }
        match &self.extra {
            Extra::Forbidden => None,
            Extra::Anything => Some((0, &ANYTHING)),
            Extra::Like(shape) => Some((0, shape)),
        }
    }

    /// What an item must look like.
    pub(super) fn item(&self) -> &Self {
        self.items.as_deref().unwrap_or(&ANYTHING)
    }

    /// True if a list may have so many items.
    pub(super) fn counts(&self, items: usize) -> bool {
        self.count == Bounds::NONE || self.count.hold_count(items)
    }

    /// True if `text` is among the choices and within the bounds; both are about what it says, so
    /// it must be `plain`, without escapes, where there are any.
    pub(super) fn lists(&self, text: &str, plain: bool) -> bool {
        let listed = match &self.choices {
            None => true,
            Some(choices) => plain && choices.iter().any(|choice| is_same(choice, text)),
        };
        let bounded = self.characters != Bounds::NONE;
        listed && (!bounded || (plain && self.characters.hold_count(text.chars().count())))
    }

    /// True if every text of so many UTF-16 units is allowed; a character takes one of them or two.
    pub(super) fn lists_all(&self, units: usize) -> bool {
        let bounds = self.characters;
        self.choices.is_none() && bounds.hold_count(units.div_ceil(2)) && bounds.hold_count(units)
    }

    /// True if a number is allowed: by its value if it is a plain integer, otherwise only where
    /// every number is.
    pub(super) fn takes_number(&self, plain: Option<i64>) -> bool {
        match plain {
            Some(number) => self.types & INTEGER != 0 && self.integers.hold(number),
            None => self.types & FRACTION != 0 && self.integers == Bounds::NONE,
        }
    }
}

/// Compares in place: names are short, and a call to the library costs more than they do.
fn is_same(name: &str, other: &str) -> bool {
    name.len() == other.len() && name.bytes().zip(other.bytes()).all(|(one, two)| one == two)
}

/// The bit of the member at `index`.
pub(super) fn bit(index: usize) -> Option<u64> {
    1_u64.checked_shl(u32::try_from(index).ok()?)
}

/// The types that a schema's `type` names.
pub(super) fn types_of(value: &Value) -> Option<Types> {
    match value {
        Value::String(name) => named(name),
        Value::Array(names) => {
            names.iter().try_fold(0, |types, name| Some(types | named(name.as_str()?)?))
        }
        _ => None,
    }
}

fn named(name: &str) -> Option<Types> {
    Some(match name {
        "null" => NULL,
        "boolean" => BOOLEAN,
        "integer" => INTEGER,
        "number" => INTEGER | FRACTION,
        "string" => STRING,
        "array" => ARRAY,
        "object" => OBJECT,
        _ => return None,
    })
}
