//! Repair under `anyOf` and `oneOf`: the same rules against each branch, and only one may accept.

use serde_json::Value;

use super::draft::{Draft, Scene};
use super::passes::{apply_all, settle};
use crate::depth::extent;
use crate::schema::{Node, Types, Union};
use crate::{Operation, Pointer, Reason};

/// How deep unions within unions are tried.
pub(super) const UNION_LEVELS_MAX: u8 = 6;

/// Repairs a union's value if exactly one branch then accepts it; true if so.
pub(super) fn try_union(
    scene: &Scene<'_>,
    draft: &mut Draft,
    place: &Pointer,
) -> Result<bool, Reason> {
    let Some(levels) = scene.levels.checked_sub(1) else { return Ok(false) };
    let Some(value) = place.resolve(&draft.value).cloned() else { return Ok(false) };
    let node = scene.node.walk(place, &draft.value);
    let unions = node.unions();
    let [union] = unions.as_slice() else { return Ok(false) };
    let at = place.below(scene.base);
    let key = place.split_last().map_or_else(|| scene.key.to_owned(), |(_, key)| key);
    let mut ways: Vec<Draft> = Vec::new();
    for (branch, part) in likely(&node, union, &value) {
        let Some(validator) = scene.tool.schema().part(part) else { return Ok(false) };
        let branch = node.branch(branch, part);
        let inner = Scene { validator, node: &branch, base: &at, key: &key, levels, ..*scene };
        draft.spend(extent(&value), scene.context)?;
        let mut way = Draft::of(value.clone(), draft.decodes, draft.work);
        let settled = settle(&inner, &mut way);
        draft.work = way.work;
        match settled {
            Err(reason @ Reason::OverLimit(_)) => return Err(reason),
            Err(reason) => draft.hint = draft.hint.take().or(Some(reason)),
            Ok(()) => {
                let fits = validator.is_valid(&way.value) && !way.changes.is_empty();
                if fits && !ways.iter().any(|other| other.value == way.value) {
                    ways.push(way);
                }
            }
        }
    }
    if ways.is_empty() {
        return Ok(false);
    }
    let chosen = (scene.tool.tables().pick)(ways.len());
    let Some(way) = chosen.and_then(|index| ways.into_iter().nth(index)) else {
        return Err(Reason::AmbiguousUnion(at));
    };
    adopt(scene, draft, place, way)?;
    Ok(true)
}

/// The branches that take the value's own type, or all if none does.
///
/// A value is bent into another type only where its own is not taken. Unions within unions would
/// otherwise be entered once more for every way to wrap a value, at every level.
pub(super) fn likely<'u, 's>(
    node: &Node<'s>,
    union: &'u Union<'s>,
    value: &Value,
) -> Vec<&'u (&'s Value, String)> {
    let own = Types::of(value);
    let takes =
        |(branch, part): &&(&'s Value, String)| node.branch(branch, part).types().meets(own);
    let fitting: Vec<_> = union.branches.iter().filter(takes).collect();
    if fitting.is_empty() { union.branches.iter().collect() } else { fitting }
}

/// Takes over what was done in a union's branch.
pub(super) fn adopt(
    scene: &Scene<'_>,
    draft: &mut Draft,
    place: &Pointer,
    way: Draft,
) -> Result<(), Reason> {
    let replace = Operation::Replace { path: place.clone(), value: way.value };
    apply_all(&mut draft.value, std::slice::from_ref(&replace))?;
    draft.decodes = way.decodes;
    draft.spelling_only &= way.spelling_only;
    draft.hint = None;
    for change in way.changes {
        draft.record(change, scene.context)?;
    }
    Ok(())
}
