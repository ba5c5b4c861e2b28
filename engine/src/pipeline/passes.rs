//! The passes of a repair: preprocessors until none fires, then one rule at every rejected place.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::draft::{Draft, Scene};
use super::unions::try_union;
use super::{liberty_change, may_hide_call};
use crate::depth::{extent, is_deeper_than};
use crate::preprocess::{Preprocessor, Spot};
use crate::refusal::clip;
use crate::rules::{Edit, Proposal, Rule, Scope, Site, wraps_call};
use crate::{
    Change, Context, Observation, ObservationKind, Operation, Pointer, Reason, Stage, Tool,
};

/// Runs passes until nothing fires.
pub(super) fn settle(scene: &Scene<'_>, draft: &mut Draft) -> Result<(), Reason> {
    for _ in 0..scene.context.limits.passes_max {
        draft.spend(extent(&draft.value), scene.context)?;
        if scene.base.is_root() {
            preprocess(scene, draft)?;
        }
        if !pass(scene, draft)? {
            return Ok(());
        }
        if is_deeper_than(&draft.value, scene.context.limits.depth_max as usize) {
            return Err(Reason::TooDeep(scene.context.limits.depth_max));
        }
    }
    Err(Reason::OverLimit("passes_max"))
}

/// Runs the configured preprocessors until none fires.
pub(super) fn preprocess(scene: &Scene<'_>, draft: &mut Draft) -> Result<(), Reason> {
    let mut observed = Vec::new();
    while let Some((entry, edits)) =
        first_firing(scene.tool, &draft.value, scene.context, &mut observed)?
    {
        draft.spend(extent(&draft.value), scene.context)?;
        for (pointer, operations) in edits {
            apply_all(&mut draft.value, &operations)?;
            let note = note_for(entry.kind.note, &pointer);
            let (rule, stage) = (entry.kind.rule, Stage::Preprocess);
            draft.record(Change { rule, stage, pointer, operations, note }, scene.context)?;
        }
        draft.spelling_only = false;
    }
    for observation in observed {
        draft.observe(observation);
    }
    Ok(())
}

/// The edits of one preprocessor: each place with its operations.
pub(super) type Edits = Vec<(Pointer, Vec<Operation>)>;

/// The first preprocessor that has something to do, with its edits.
///
/// A wrapper around the arguments goes first; until then nothing beside it is looked at. The gate
/// and the policy are asked last: most values need nothing, and that is cheap to see.
pub(super) fn first_firing<'t>(
    tool: &'t Tool,
    root: &Value,
    context: &Context<'_>,
    observed: &mut Vec<Observation>,
) -> Result<Option<(&'t Preprocessor, Edits)>, Reason> {
    if may_hide_call(root) && wraps_call(&tool.schema().root(), root) {
        return Ok(None);
    }
    for entry in tool.preprocessors() {
        let mut edits = Vec::new();
        let visited = entry.selector.places(root, &mut |place| {
            let operations = (entry.kind.apply)(&Spot { place, config: entry, tool, root })?;
            if !operations.is_empty() {
                edits.push((place.pointer(), operations));
            }
            Ok(())
        });
        if (edits.is_empty() && visited.is_ok()) || !(tool.tables().admits)(&entry.gate, context) {
            continue;
        }
        if (tool.tables().permits)(context.policy, entry.kind.grade) {
            visited?;
            return Ok(Some((entry, edits)));
        }
        let kind = ObservationKind::Withheld;
        observed.push(Observation { rule: entry.kind.rule, stage: Stage::Preprocess, kind });
    }
    Ok(None)
}

/// Applies operations that were made for this very value.
pub(super) fn apply_all(value: &mut Value, operations: &[Operation]) -> Result<(), Reason> {
    // INVARIANT: rules and preprocessors only name places they have just looked at.
    operations.iter().try_for_each(|operation| operation.apply(value)).map_err(|_| Reason::Misfit)
}

/// One pass: the root rules, then every rejected place. True if something fired.
pub(super) fn pass(scene: &Scene<'_>, draft: &mut Draft) -> Result<bool, Reason> {
    let rejected = rejected_places(scene, draft);
    if scene.base.is_root() && root_rule(scene, draft, !rejected.is_empty())? {
        return Ok(true);
    }
    let mut edited: BTreeSet<Pointer> = BTreeSet::new();
    let mut removals: BTreeMap<Pointer, Vec<(String, Change)>> = BTreeMap::new();
    for place in rejected {
        if lies_in(&edited, &place) {
            continue;
        }
        let fired = match place_rule(scene, draft, &place)? {
            Some((rule, edit)) => commit(scene, draft, &place, (rule, edit), &mut removals)?,
            None => try_union(scene, draft, &place)?,
        };
        if fired {
            edited.insert(place);
        }
    }
    remove_all(scene, draft, removals)?;
    Ok(!edited.is_empty())
}

/// The places the schema rejects, each once, in the validator's order.
pub(super) fn rejected_places(scene: &Scene<'_>, draft: &Draft) -> Vec<Pointer> {
    let room = (scene.context.limits.changes_max as usize).saturating_add(1);
    let mut seen = BTreeSet::new();
    scene
        .validator
        .iter_errors(&draft.value)
        .map(|error| Pointer::from_escaped(error.instance_path().as_str()))
        .filter(|place| seen.insert(place.clone()))
        .take(room)
        .collect()
}

/// True if `place` or something around it is in `edited`.
pub(super) fn lies_in(edited: &BTreeSet<Pointer>, place: &Pointer) -> bool {
    let mut at = Some(place.clone());
    while let Some(pointer) = at {
        if edited.contains(&pointer) {
            return true;
        }
        at = pointer.split_last().map(|(parent, _)| parent);
    }
    false
}

/// Runs the rules for the whole arguments; true if one fired.
pub(super) fn root_rule(
    scene: &Scene<'_>,
    draft: &mut Draft,
    rejected: bool,
) -> Result<bool, Reason> {
    let pointer = Pointer::root();
    let wanted = |rule: &Rule| match rule.scope {
        Scope::Root => rejected,
        Scope::RootEvenIfValid => true,
        Scope::Site => false,
    };
    let mut site = Site::whole(scene.tool, &draft.value, (&pointer, scene.node), scene.context);
    site.decodes_left = site.decodes_left.saturating_sub(draft.decodes);
    let mut withheld = Vec::new();
    let found = first_edit(&site, wanted, &mut withheld)?;
    for observation in withheld {
        draft.observe(observation);
    }
    match found {
        Some(found) => commit(scene, draft, &pointer, found, &mut BTreeMap::new()),
        None => Ok(false),
    }
}

/// The first rule that applies at a rejected place, with its edit.
pub(super) fn place_rule(
    scene: &Scene<'_>,
    draft: &mut Draft,
    place: &Pointer,
) -> Result<Option<(Rule, Edit)>, Reason> {
    let Some(value) = place.resolve(&draft.value) else { return Ok(None) };
    let node = scene.node.walk(place, &draft.value);
    let above = place.split_last();
    let (key, optional, in_list) = match &above {
        None => (scene.key, false, false),
        Some((parent, key)) => match parent.resolve(&draft.value) {
            Some(Value::Object(_)) => {
                (key.as_str(), scene.node.walk(parent, &draft.value).leaves_out(key), false)
            }
            _ => ("", false, true),
        },
    };
    let site = Site {
        value,
        pointer: place,
        node: &node,
        key,
        whole: place.is_root() && scene.base.is_root(),
        in_list,
        optional,
        tool: scene.tool,
        context: scene.context,
        decodes_left: scene.context.limits.decodes_max.saturating_sub(draft.decodes),
    };
    let mut withheld = Vec::new();
    let found = first_edit(&site, |rule| rule.scope == Scope::Site, &mut withheld);
    for observation in withheld {
        draft.observe(observation);
    }
    found
}

/// The first permitted proposal among the wanted rules.
pub(super) fn first_edit(
    site: &Site<'_>,
    wanted: impl Fn(&Rule) -> bool,
    withheld: &mut Vec<Observation>,
) -> Result<Option<(Rule, Edit)>, Reason> {
    let tables = site.tool.tables();
    for rule in tables.rules.iter().filter(|rule| wanted(rule)) {
        match (rule.propose)(site) {
            Proposal::Nothing => {}
            Proposal::Refuse(reason) => return Err(reason),
            Proposal::Edit(edit) if (tables.permits)(site.context.policy, rule.grade) => {
                return Ok(Some((*rule, edit)));
            }
            Proposal::Edit(_) => {
                let kind = ObservationKind::Withheld;
                withheld.push(Observation { rule: rule.id, stage: Stage::Repair, kind });
            }
        }
    }
    Ok(None)
}

/// Applies a rule's edit and records it; removals wait until the end of the pass.
pub(super) fn commit(
    scene: &Scene<'_>,
    draft: &mut Draft,
    place: &Pointer,
    (rule, edit): (Rule, Edit),
    removals: &mut BTreeMap<Pointer, Vec<(String, Change)>>,
) -> Result<bool, Reason> {
    let named = place.as_str().len() as u64;
    draft.spend(edit.work.saturating_add(named).saturating_add(1), scene.context)?;
    draft.decodes = draft.decodes.saturating_add(edit.decodes);
    draft.spelling_only &= edit.spelling;
    let pointer = place.below(scene.base);
    let below = |operation: &Operation| operation.clone().below(scene.base);
    let change = Change {
        rule: rule.id,
        stage: Stage::Repair,
        operations: edit.operations.iter().map(below).collect(),
        note: note_for(rule.note, &pointer),
        pointer: pointer.clone(),
    };
    match (edit.operations.as_slice(), place.split_last()) {
        ([Operation::Remove { path }], Some((parent, key))) if path == place => {
            removals.entry(parent).or_default().push((key, change));
        }
        (operations, _) => {
            apply_all(&mut draft.value, operations)?;
            draft.record(change, scene.context)?;
        }
    }
    for used in &edit.liberties {
        draft.record(liberty_change(used, &pointer), scene.context)?;
    }
    Ok(true)
}

/// Takes members out, each object in one go, so that many placeholders cost linear work.
pub(super) fn remove_all(
    scene: &Scene<'_>,
    draft: &mut Draft,
    removals: BTreeMap<Pointer, Vec<(String, Change)>>,
) -> Result<(), Reason> {
    for (parent, members) in removals {
        let (keys, changes): (BTreeSet<String>, Vec<Change>) = members.into_iter().unzip();
        if let Some(Value::Object(object)) = draft.value.pointer_mut(parent.as_str()) {
            object.retain(|key, _| !keys.contains(key));
        }
        for change in changes {
            draft.record(change, scene.context)?;
        }
    }
    Ok(())
}

/// A rule's note with the place written into it.
pub(super) fn note_for(note: &str, pointer: &Pointer) -> String {
    let place = pointer.readable();
    let shown = clip(&place, 120);
    let clean: String =
        shown.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect();
    note.replace("{field}", &clean)
}
