//! Malformations: known ways to damage a valid call, each of which knows whether anything was lost.

pub mod call;

mod alias;
mod alias_conflict;
mod anchor_pair;
mod auto_link;
mod bare_string;
mod boolean_string;
mod boolean_text;
mod comment;
mod cut_string;
mod cut_text;
mod digit_boolean;
mod double_encoding;
mod doubled_object;
mod duplicate_key;
mod empty_placeholder;
mod enum_case;
mod envelope_key;
mod flat_edit;
mod fold_conflict;
mod fraction_text;
mod glm_key_residue;
mod glm_value_token;
mod inexact_number;
mod inner_quotes;
mod invalid_escapes;
mod literal_newline;
mod lone_surrogate;
mod markdown_fence;
mod missing_closers;
mod missing_comma;
mod missing_required;
mod missing_value;
mod name_case;
mod name_prefix;
mod name_residue;
mod nested_alias;
mod null_item;
mod null_optional;
mod null_required;
mod number_text;
mod object_string;
mod odd_space;
mod over_deep;
mod over_escaped;
mod premature_closer;
mod raw_controls;
mod root_noise;
mod root_singleton;
mod root_text;
mod single_quotes;
mod singleton_unwrap;
mod singleton_wrap;
mod stringified;
mod stringified_cut;
mod stringified_deep;
mod stringified_item;
mod stringified_python;
mod stringified_raw;
mod surplus_closer;
mod surrounding_prose;
mod swapped_bracket;
mod trailing_comma;
mod two_objects;
mod typographic_quotes;
mod unknown_tool;
mod unquoted_keys;

pub use call::{Call, Form};

use crate::generate::{Bias, Subject, values};
use crate::source::{Choose, Source};
use crate::swarm::ChooseRow;
use std::sync::Arc;

/// When a malformation works. Applied in this order, and within a stage in the order of [`MALFORMATIONS`],
/// lossless malformations stay lossless together.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Stage {
    /// A single value at its own place.
    Field,
    /// The key of a value.
    Key,
    /// A list or an object as a whole.
    Structure,
    /// The root.
    Envelope,
    /// The spelling of tokens in the text.
    Token,
    /// The text as a whole.
    Text,
    /// The name of the tool.
    Name,
}

/// One known way to damage a call.
#[derive(Clone, Copy, Debug)]
pub struct Malformation {
    /// Its name; never changed once published.
    pub id: &'static str,
    /// What the damage looks like.
    pub says: &'static str,
    /// When it works.
    pub stage: Stage,
    /// Whether what was meant is still the only sensible reading.
    pub lossless: bool,
    /// Whether the conservative policy may repair it as well.
    pub conservative: bool,
    /// Damages the call; false leaves it as it was, because the damage does not fit here.
    pub apply: fn(&mut Call, &mut dyn Source) -> bool,
}

/// Every malformation. Order is the order of application: stages ascend, and within a stage a respelling of
/// quotes stands where those after it can see it.
pub const MALFORMATIONS: &[Malformation] = &[
    null_optional::MALFORMATION,
    empty_placeholder::MALFORMATION,
    number_text::MALFORMATION,
    boolean_text::MALFORMATION,
    enum_case::MALFORMATION,
    auto_link::MALFORMATION,
    anchor_pair::MALFORMATION,
    glm_value_token::MALFORMATION,
    null_required::MALFORMATION,
    null_item::MALFORMATION,
    fraction_text::MALFORMATION,
    digit_boolean::MALFORMATION,
    boolean_string::MALFORMATION,
    object_string::MALFORMATION,
    missing_required::MALFORMATION,
    alias::MALFORMATION,
    nested_alias::MALFORMATION,
    glm_key_residue::MALFORMATION,
    alias_conflict::MALFORMATION,
    flat_edit::MALFORMATION,
    stringified_item::MALFORMATION,
    stringified::MALFORMATION,
    stringified_deep::MALFORMATION,
    stringified_python::MALFORMATION,
    stringified_raw::MALFORMATION,
    singleton_wrap::MALFORMATION,
    singleton_unwrap::MALFORMATION,
    bare_string::MALFORMATION,
    fold_conflict::MALFORMATION,
    stringified_cut::MALFORMATION,
    envelope_key::MALFORMATION,
    root_singleton::MALFORMATION,
    root_text::MALFORMATION,
    double_encoding::MALFORMATION,
    root_noise::MALFORMATION,
    over_escaped::MALFORMATION,
    single_quotes::MALFORMATION,
    typographic_quotes::MALFORMATION,
    raw_controls::MALFORMATION,
    invalid_escapes::MALFORMATION,
    unquoted_keys::MALFORMATION,
    trailing_comma::MALFORMATION,
    comment::MALFORMATION,
    literal_newline::MALFORMATION,
    odd_space::MALFORMATION,
    surplus_closer::MALFORMATION,
    doubled_object::MALFORMATION,
    missing_closers::MALFORMATION,
    cut_string::MALFORMATION,
    duplicate_key::MALFORMATION,
    two_objects::MALFORMATION,
    missing_comma::MALFORMATION,
    missing_value::MALFORMATION,
    swapped_bracket::MALFORMATION,
    lone_surrogate::MALFORMATION,
    inexact_number::MALFORMATION,
    over_deep::MALFORMATION,
    inner_quotes::MALFORMATION,
    premature_closer::MALFORMATION,
    markdown_fence::MALFORMATION,
    surrounding_prose::MALFORMATION,
    cut_text::MALFORMATION,
    name_prefix::MALFORMATION,
    name_residue::MALFORMATION,
    name_case::MALFORMATION,
    unknown_tool::MALFORMATION,
];

/// Respellings of strings: at most one style to a text.
const QUOTES: &[&str] =
    &["single-quotes", "typographic-quotes", "over-escaped", "raw-controls", "invalid-escapes"];

/// Damage at the end of a text: at most one to a text.
const TAILS: &[&str] = &["surplus-closer", "doubled-object", "missing-closers", "two-objects"];

/// Damage that few calls have room for, and how much more often it is drawn than other damage.
const RARE: &[(&str, u32)] = &[
    ("fold-conflict", 16),
    ("flat-edit", 8),
    ("alias-conflict", 4),
    ("bare-string", 4),
    ("digit-boolean", 4),
    ("duplicate-key", 4),
    ("enum-case", 4),
    ("fraction-text", 4),
    ("inner-quotes", 4),
    ("nested-alias", 4),
    ("null-item", 4),
    ("root-text", 4),
    ("singleton-unwrap", 4),
    ("stringified-raw", 4),
];

/// How often a draw is repeated when nothing of it fits the call.
const TRIES_MAX: u32 = 4;

/// The malformation of this name.
pub fn named(id: &str) -> Option<&'static Malformation> {
    MALFORMATIONS.iter().find(|malformation| malformation.id == id)
}

/// An undamaged call of `subject` with valid arguments that mean what they say.
pub fn begin(source: &mut dyn Source, subject: impl Into<Arc<Subject>>, bias: &Bias) -> Call {
    let subject = subject.into();
    let original = values::arguments(source, &subject, bias);
    Call::new(subject, original)
}

/// Applies one malformation and keeps the books; false leaves the call as it was.
pub fn apply(call: &mut Call, malformation: &Malformation, source: &mut dyn Source) -> bool {
    let before = call.clone();
    if !(malformation.apply)(call, source) {
        *call = before;
        return false;
    }
    call.applied.push(malformation.id);
    call.lossless &= malformation.lossless;
    call.conservative &= malformation.conservative;
    true
}

/// Damages a call by one to `most` lossless malformations, in order; returns how many applied.
pub fn lossless(call: &mut Call, source: &mut dyn Source, most: u32) -> u32 {
    let wanted = source.range(1, most.max(1));
    for _ in 0..TRIES_MAX {
        let applied = chain(call, source, wanted, &|row| row.lossless);
        if applied > 0 {
            return applied;
        }
    }
    0
}

/// Damages a call by up to two lossless malformations and then one that loses something.
///
/// Returns false where none of those tried fits; the call is undamaged then.
pub fn lossy(call: &mut Call, source: &mut dyn Source) -> bool {
    let losing = rows(&|row| !row.lossless);
    let intact = call.clone();
    for _ in 0..TRIES_MAX {
        let last = draw(source, &losing);
        let before = source.below(3);
        chain(call, source, before, &|row| row.lossless && row.stage <= last.stage);
        if apply(call, last, source) {
            return true;
        }
        call.clone_from(&intact);
    }
    false
}

fn rows(wanted: &dyn Fn(&Malformation) -> bool) -> Vec<&'static Malformation> {
    MALFORMATIONS.iter().filter(|row| wanted(row)).collect()
}

/// One of `rows` that is on; those that few calls have room for come up more often.
fn draw(source: &mut dyn Source, rows: &[&'static Malformation]) -> &'static Malformation {
    let weight = |id| RARE.iter().find(|(rare, _)| *rare == id).map_or(1, |(_, weight)| *weight);
    let weights: Vec<_> = rows.iter().map(|row| (row.id, weight(row.id))).collect();
    rows[source.weigh_rows(&weights)]
}

/// Tries a random subset of the rows that `wanted` accepts, in order, until `count` have applied.
fn chain(
    call: &mut Call,
    source: &mut dyn Source,
    count: u32,
    wanted: &dyn Fn(&Malformation) -> bool,
) -> u32 {
    let rows = rows(wanted);
    if rows.is_empty() || count == 0 {
        return 0;
    }
    let tries = count + source.below(2 * count + 1);
    let mut picked: Vec<&Malformation> = (0..tries).map(|_| draw(source, &rows)).collect();
    picked.sort_by_key(|row| MALFORMATIONS.iter().position(|known| known.id == row.id));
    picked.dedup_by_key(|row| row.id);
    let mut applied = 0;
    for row in picked {
        if applied < count && apply(call, row, source) {
            applied += 1;
        }
    }
    applied
}

#[cfg(test)]
mod tests;
