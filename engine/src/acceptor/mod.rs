//! Tells in one look that arguments certainly pass as they stand, so that valid input costs least.
//!
//! The look is over the value, or over raw text without building a value. It knows only schemas and
//! preprocessors whose meaning is plain, and says "not sure" for everything else: the ordinary path
//! then decides. Switching it off changes no outcome, only what an outcome costs.

mod compile;
mod guard;
mod place;
mod scan;
mod shape;
mod text;
mod value;

use std::cell::Cell;

use serde_json::Value;

use crate::preprocess::Preprocessor;
use crate::rules::WRAPPERS;
use crate::{Context, Gate};
use guard::Guard;
use scan::Escapes;
use shape::{ANYTHING, FRACTION, INTEGER, Narrowed, STRING, Shape, Types};

/// Deepest nesting looked at, in levels; the look recurses, so this bounds the stack it takes.
const LEVELS_MAX: u32 = 16;

/// What a tool's arguments must look like to pass untouched.
#[derive(Debug)]
pub(crate) struct Acceptor {
    root: Shape,
}

/// What a look has told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sight {
    /// The arguments certainly pass, and nothing touches them.
    Valid,
    /// Nothing touches the arguments; whether they pass is for the validator to say.
    Plain,
    /// Nothing is sure.
    Unsure,
}

impl Acceptor {
    /// Compiles the plain parts of a schema together with the preprocessors; `None` if nothing
    /// could ever be told.
    pub(crate) fn compile(document: &Value, preprocessors: &[Preprocessor]) -> Option<Self> {
        let mut root = compile::compile(document);
        root.watch_all(WRAPPERS);
        root.guarded = true;
        for entry in preprocessors {
            place::attach(&mut root, entry.selector.steps(), entry)?;
        }
        root.settle();
        root.known.then_some(Self { root })
    }

    /// Looks at a value, which is within the depth limit unless nothing is sure.
    pub(crate) fn see_value(
        &self,
        args: &Value,
        context: &Context<'_>,
        admits: fn(&Gate, &Context<'_>) -> bool,
    ) -> Sight {
        let look = Look { context, admits, doubt: &Cell::new(false), outline: false };
        look.sight(args.is_object() && look.value(&self.root, &[], args, look.levels()).is_some())
    }

    /// Looks at raw text, which is strict JSON (RFC 8259, every key once, no lone surrogate) unless
    /// nothing is sure. Costs one visit a byte.
    pub(crate) fn see_text(
        &self,
        text: &str,
        context: &Context<'_>,
        admits: fn(&Gate, &Context<'_>) -> bool,
    ) -> Sight {
        let look = Look { context, admits, doubt: &Cell::new(false), outline: false };
        look.sight(text::passes(text, &self.root, look))
    }

    /// Looks at raw text in which a text may be spelled `"\u0000"`, as any text, or with a number
    /// behind that, as any text of so many UTF-16 units.
    pub(crate) fn see_outline(
        &self,
        outline: &str,
        context: &Context<'_>,
        admits: fn(&Gate, &Context<'_>) -> bool,
    ) -> Sight {
        let look = Look { context, admits, doubt: &Cell::new(false), outline: true };
        look.sight(text::passes(outline, &self.root, look))
    }
}

/// What a look asks of the call beside its arguments, and whether it met with a riddle.
#[derive(Clone, Copy)]
struct Look<'c> {
    context: &'c Context<'c>,
    admits: fn(&Gate, &Context<'_>) -> bool,
    /// Set where only the validator knows.
    doubt: &'c Cell<bool>,
    /// True where a text may stand for others of its length.
    outline: bool,
}

impl Look<'_> {
    fn levels(self) -> u32 {
        self.context.limits.depth_max.min(LEVELS_MAX)
    }

    fn sight(self, passes: bool) -> Sight {
        match (passes, self.doubt.get()) {
            (true, false) => Sight::Valid,
            (true, true) => Sight::Plain,
            (false, _) => Sight::Unsure,
        }
    }

    /// What a value of one of `types` must look like; anything will do where only the validator
    /// knows, unless a preprocessor might act there.
    fn narrow(self, shape: &Shape, types: Types) -> Option<&Shape> {
        match shape.narrow(types) {
            Narrowed::To(shape) => Some(shape),
            Narrowed::Unclear if !shape.guarded => {
                self.doubt.set(true);
                Some(&ANYTHING)
            }
            Narrowed::Unclear | Narrowed::Never => None,
        }
    }

    /// Judges a text; `text` may still have its escapes.
    fn text(self, shape: &Shape, above: &[Guard], text: &str, escapes: Escapes) -> Option<()> {
        if shape.free & STRING == 0 {
            let shape = self.narrow(shape, STRING)?;
            if self.is_touched(&shape.guards, text, escapes) {
                return None;
            }
            let known = self.outline && units(text).is_some_and(|units| shape.lists_all(units));
            if !known && !shape.lists(text, !escapes.any) {
                escapes.any.then(|| self.doubt.set(true))?;
            }
        }
        (above.is_empty() || !self.is_touched(above, text, escapes)).then_some(())
    }

    /// Judges a number; `plain` is its value if it is spelled as an integer of 64 bits.
    fn number(self, shape: &Shape, plain: Option<i64>) -> Option<()> {
        if shape.free & FRACTION != 0 {
            return Some(());
        }
        let shape = self.narrow(shape, INTEGER | FRACTION)?;
        if !shape.takes_number(plain) {
            plain.is_none().then(|| self.doubt.set(true))?;
        }
        Some(())
    }

    /// True if some guard's preprocessor might touch `text`.
    fn is_touched(self, guards: &[Guard], text: &str, escapes: Escapes) -> bool {
        guards.iter().any(|guard| {
            guard.touch.may_touch(text, escapes) && (self.admits)(&guard.gate, self.context)
        })
    }
}

/// How long the text is that stands in an outline for others, in UTF-16 units.
fn units(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(r"\u0000")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
