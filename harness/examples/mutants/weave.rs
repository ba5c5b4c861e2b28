//! Puts every mutant of a file behind its switch: `(if on(7) { mutated } else { as it was })`. Only text is
//! inserted, and what is mutated is a copy of the untouched source, so that mutants may stand inside each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::listed::{Genre, Mutant, Place};

/// A woven file.
#[derive(Debug)]
pub(crate) struct Woven {
    pub(crate) text: String,
    /// Which bytes were inserted for which mutant.
    pub(crate) inserted: Vec<(Range<usize>, usize)>,
}

/// Inserts the mutants, each with its number, into the text of their file.
pub(crate) fn weave(text: &str, mutants: &[(usize, &Mutant)]) -> Result<Woven, String> {
    let parsed = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut weaver = Weaver::new(text, mutants);
    weaver.visit_file(&parsed);
    for (number, mutant) in mutants.iter().filter(|row| row.1.genre == Genre::FnValue) {
        let at = weaver.lines.at(mutant.span.start);
        let open = format!("if crate::woven::on({number}) {{ return {}; }} ", mutant.replacement);
        let range = at..usize::MAX;
        weaver.put(Edit { number: *number, range, rank: Rank::Body, open, close: "" });
    }
    match mutants.iter().find(|(number, _)| !weaver.placed.contains(number)) {
        Some((_, lost)) => Err(format!("{} was not found in the source", lost.name)),
        None => Ok(insert(text, &weaver.edits)),
    }
}

/// What stands outside where two insertions cover the same text.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Rank {
    Body,
    Arm,
    Expression,
}

#[derive(Debug)]
struct Edit {
    number: usize,
    range: Range<usize>,
    rank: Rank,
    open: String,
    close: &'static str,
}

struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    fn at(&self, place: Place) -> usize {
        let line = self.starts[place.line - 1];
        let rest = &self.text[line..];
        line + rest.char_indices().nth(place.column - 1).map_or(rest.len(), |(at, _)| at)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.at(place(span.start()))..self.at(place(span.end()))
    }

    fn raw(&self, span: Span) -> &'t str {
        &self.text[self.range(span)]
    }
}

fn place(at: LineColumn) -> Place {
    Place { line: at.line, column: at.column + 1 }
}

struct Weaver<'t> {
    lines: Lines<'t>,
    by_start: BTreeMap<Place, Vec<(usize, &'t Mutant)>>,
    placed: BTreeSet<usize>,
    edits: Vec<Edit>,
}

impl<'t> Weaver<'t> {
    fn new(text: &'t str, mutants: &[(usize, &'t Mutant)]) -> Self {
        let mut by_start: BTreeMap<Place, Vec<(usize, &'t Mutant)>> = BTreeMap::new();
        for (number, mutant) in mutants {
            by_start.entry(mutant.span.start).or_default().push((*number, mutant));
        }
        Self { lines: Lines::new(text), by_start, placed: BTreeSet::new(), edits: Vec::new() }
    }

    /// The mutants of this kind that begin here and stand nowhere yet.
    fn here(&self, span: Span, genre: Genre) -> Vec<(usize, &'t str)> {
        let found = self.by_start.get(&place(span.start())).into_iter().flatten();
        let wanted =
            |row: &&(usize, &'t Mutant)| row.1.genre == genre && !self.placed.contains(&row.0);
        found
            .filter(wanted)
            .map(|(number, mutant)| (*number, mutant.replacement.as_str()))
            .collect()
    }

    fn put(&mut self, edit: Edit) {
        self.placed.insert(edit.number);
        self.edits.push(edit);
    }

    fn wrap(&mut self, number: usize, span: Span, before: &str, mutated: &str) {
        let open = format!("{before}(if crate::woven::on({number}) {{ {mutated} }} else {{ ");
        let range = self.lines.range(span);
        self.put(Edit { number, range, rank: Rank::Expression, open, close: " })" });
    }
}

impl<'ast> Visit<'ast> for Weaver<'_> {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        for (number, with) in self.here(node.op.span(), Genre::BinaryOperator) {
            let left = self.lines.raw(node.left.span());
            let right = self.lines.raw(node.right.span());
            self.wrap(number, node.span(), "", &format!("{left} {with} {right}"));
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        for (number, _) in self.here(node.op.span(), Genre::UnaryOperator) {
            self.wrap(number, node.span(), "", self.lines.raw(node.expr.span()));
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        // An arm with an attribute begins there; its mutant may begin at the pattern.
        let mut gone = self.here(arm.span(), Genre::MatchArm);
        gone.extend(self.here(arm.pat.span(), Genre::MatchArm));
        gone.dedup();
        for (number, _) in gone {
            if let Some((_, guard)) = &arm.guard {
                let open = format!("!crate::woven::on({number}) && (");
                let range = self.lines.range(guard.span());
                self.put(Edit { number, range, rank: Rank::Arm, open, close: ")" });
            } else {
                let end = self.lines.range(arm.pat.span()).end;
                let open = format!(" if !crate::woven::on({number})");
                self.put(Edit { number, range: end..end, rank: Rank::Arm, open, close: "" });
            }
        }
        if let Some((_, guard)) = &arm.guard {
            for (number, with) in self.here(guard.span(), Genre::MatchArmGuard) {
                self.wrap(number, guard.span(), "", with);
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        let Some(rest) = &node.rest else { return visit::visit_expr_struct(self, node) };
        let base = match self.lines.raw(rest.span()) {
            "Default::default()" => {
                format!("<{} as Default>::default()", self.lines.raw(node.path.span()))
            }
            other => other.to_owned(),
        };
        for field in &node.fields {
            let name = self.lines.raw(field.member.span());
            let short =
                if field.colon_token.is_none() { format!("{name}: ") } else { String::new() };
            for (number, _) in self.here(field.span(), Genre::StructField) {
                self.wrap(number, field.expr.span(), &short, &format!("({base}).{name}"));
            }
        }
        visit::visit_expr_struct(self, node);
    }
}

/// Carries the edits out. At one place what ends there comes first, the inner before the outer; then what begins
/// there, the outer before the inner.
fn insert(text: &str, edits: &[Edit]) -> Woven {
    let mut events = Vec::new();
    for edit in edits {
        let size = i64::try_from(edit.range.len()).unwrap_or(i64::MAX);
        let outside = (edit.rank, edit.number);
        events.push((edit.range.start, true, -size, outside, edit));
        if !edit.close.is_empty() {
            events.push((edit.range.end, false, size, outside, edit));
        }
    }
    events.sort_by(|one, two| {
        let inside_first = |begins: bool, order: std::cmp::Ordering| {
            if begins { order } else { order.reverse() }
        };
        (one.0, one.1, one.2)
            .cmp(&(two.0, two.1, two.2))
            .then_with(|| inside_first(one.1, one.3.cmp(&two.3)))
    });
    let mut woven = Woven { text: String::new(), inserted: Vec::new() };
    let mut last = 0;
    for (at, begins, _, _, edit) in events {
        woven.text.push_str(&text[last..at]);
        last = at;
        let from = woven.text.len();
        woven.text.push_str(if begins { &edit.open } else { edit.close });
        woven.inserted.push((from..woven.text.len(), edit.number));
    }
    woven.text.push_str(&text[last..]);
    woven
}
