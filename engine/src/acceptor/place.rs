//! Puts a preprocessor's doubts at the places it is configured for.

use super::guard::{Guard, Touch};
use super::shape::Shape;
use crate::preprocess::Preprocessor;
use crate::selector::Step;

/// Makes every place that `entry` might act on a doubtful one; `None` for a kind not known here.
///
/// Recursion is bounded by the segments a selector may have, and the levels of alternatives.
pub(super) fn attach(shape: &mut Shape, steps: &[Step], entry: &Preprocessor) -> Option<()> {
    // INVARIANT: an undeclared key with `<` in it is never passed, whatever is configured.
    if entry.kind.name == "key-residue" {
        return Some(());
    }
    shape.guarded = true;
    for branch in &mut shape.branches {
        attach(branch, steps, entry)?;
    }
    match (entry.kind.name, steps) {
        ("alias", [Step::Member(_)]) => {
            shape.watch_all(&entry.aliases);
        }
        ("fold", [Step::Member(_)]) => {
            for (field, aliases) in &entry.fields {
                shape.watch(field);
                shape.watch_all(aliases);
            }
        }
        (_, []) => return at_place(shape, entry),
        (_, [Step::Member(name), rest @ ..]) => match shape.member_mut(name) {
            Some(member) => return attach(member, rest, entry),
            None => shape.watch(name),
        },
        (_, [Step::Items, rest @ ..]) => match &mut shape.items {
            Some(items) => return attach(items, rest, entry),
            None => shape.known &= !shape.branches.is_empty(),
        },
    }
    Some(())
}

/// Guards the texts at one place.
fn at_place(shape: &mut Shape, entry: &Preprocessor) -> Option<()> {
    let guard = |touch| Guard { touch, gate: entry.gate.clone() };
    match entry.kind.name {
        // Both need a member to work on, and the whole arguments are none.
        "alias" | "fold" => {}
        "scalar" | "string-or-array" => shape.guards.push(guard(Touch::Always)),
        "filesystem-path" => shape.guards.push(guard(Touch::Path)),
        "filesystem-path-array" => match &mut shape.items {
            Some(items) => items.guards.push(guard(Touch::Path)),
            None => shape.known &= !shape.branches.is_empty(),
        },
        "glob" => shape.guards.push(guard(Touch::Link)),
        "anchor-bleed" => shape.guards.push(guard(Touch::Anchors)),
        "html-entities" => shape.guards.push(guard(Touch::Entities)),
        "grammar-tokens" => {
            shape.guards.push(guard(Touch::Tokens));
            shape.member_guards.push(guard(Touch::Tokens));
        }
        _ => return None,
    }
    Some(())
}
