//! The pipeline of one call: preprocess, check, repair, check again, in bounded passes.

mod draft;
mod passes;
#[cfg(test)]
mod tests;
mod unions;

use serde_json::Value;

use crate::outcome::Verdict;
use crate::reader::LibertyUse;
use crate::rules::{Rule, Scope, Site};
use crate::{
    Change, Context, Limits, Observation, ObservationKind, Pointer, Policy, Reason, Stage, Tool,
};
use draft::{Draft, Scene};
use passes::{first_edit, first_firing, settle};
use unions::UNION_LEVELS_MAX;

/// What happened to the arguments before the pipeline got them.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) changes: Vec<Change>,
    pub(crate) observations: Vec<Observation>,
    /// The caller still holds exactly this: a value, or strict JSON text.
    pub(crate) untouched: bool,
    /// Untouched valid arguments pass; anything else is refused for this reason.
    pub(crate) blocked: Option<Reason>,
    pub(crate) work: u64,
}

impl Given {
    /// A value as the caller holds it.
    pub(crate) fn value() -> Self {
        Self {
            changes: Vec::new(),
            observations: Vec::new(),
            untouched: true,
            blocked: None,
            work: 0,
        }
    }
}

/// A repair given up: the reason, and how far the arguments had come.
pub(crate) struct GivenUp {
    pub(crate) reason: Reason,
    /// The arguments as they stood when nothing more applied; `None` before any repair.
    pub(crate) reached: Option<Value>,
}

impl From<Reason> for GivenUp {
    fn from(reason: Reason) -> Self {
        Self { reason, reached: None }
    }
}

/// Judges `value`.
pub(crate) fn run(
    tool: &Tool,
    value: &Value,
    given: Given,
    context: &Context<'_>,
) -> Result<Verdict, GivenUp> {
    let mut observed = Vec::new();
    let valid =
        first_firing(tool, value, context, &mut observed)?.is_none() && accepts(tool, value);
    if !valid {
        return repair(tool, value, given, context);
    }
    if may_hide_call(value) && hides_call(tool, value, context)? {
        return repair(tool, value, given, context);
    }
    Ok(settle_valid(value, given)?)
}

fn accepts(tool: &Tool, value: &Value) -> bool {
    (tool.tables().accepts)(tool.schema().validator(), value)
}

/// Valid as it stands: untouched, or repaired by what came before.
fn settle_valid(value: &Value, given: Given) -> Result<Verdict, Reason> {
    if given.untouched {
        return Ok(Verdict::Valid);
    }
    match given.blocked {
        Some(reason) => Err(reason),
        None => Ok(Verdict::Repaired {
            args: value.clone(),
            changes: given.changes,
            observations: given.observations,
        }),
    }
}

/// True if a valid value may still be a wrapper around the call; the rule itself looks closer.
fn may_hide_call(value: &Value) -> bool {
    let Value::Object(members) = value else { return false };
    let wraps = |(key, value): (&String, &Value)| {
        (value.is_object() || value.is_string()) && crate::rules::WRAPPERS.contains(&key.as_str())
    };
    members.len() <= 4 && members.iter().any(wraps)
}

/// True if a rule for the whole arguments fires on a valid value: the tool would run without what
/// the wrapper holds.
fn hides_call(tool: &Tool, value: &Value, context: &Context<'_>) -> Result<bool, Reason> {
    let (node, pointer) = (tool.schema().root(), Pointer::root());
    // A look, not a repair: a caller's small limits must not make a valid value look like a call.
    let context = Context { limits: Limits::DEFAULT, ..*context };
    let site = Site::whole(tool, value, (&pointer, &node), &context);
    let wanted = |rule: &Rule| rule.scope == Scope::RootEvenIfValid;
    Ok(first_edit(&site, wanted, &mut Vec::new())?.is_some())
}

/// Repairs a value that is not valid as it stands, or only looks so.
fn repair(
    tool: &Tool,
    value: &Value,
    given: Given,
    context: &Context<'_>,
) -> Result<Verdict, GivenUp> {
    let (node, base) = (tool.schema().root(), Pointer::root());
    let scene = Scene {
        tool,
        context,
        validator: tool.schema().validator(),
        node: &node,
        base: &base,
        key: "",
        levels: UNION_LEVELS_MAX,
    };
    let mut draft = Draft::of(value.clone(), 0, given.work);
    settle(&scene, &mut draft)?;
    if !accepts(tool, &draft.value) {
        return Err(give_up(tool, value, draft, context));
    }
    if draft.changes.is_empty() {
        return Ok(settle_valid(value, given)?);
    }
    if given.untouched && draft.spelling_only && host_reads(tool, value, &draft.value) {
        return given.blocked.map_or(Ok(Verdict::Deferred), |reason| Err(reason.into()));
    }
    if let Some(reason) = given.blocked {
        return Err(reason.into());
    }
    // Nobody means a backspace or a form feed: a lost backslash stood before the letter.
    if has_bell(&draft.value) {
        return Err(Reason::AmbiguousEscape.into());
    }
    let mut changes = given.changes;
    changes.append(&mut draft.changes);
    let mut observations = given.observations;
    observations.append(&mut draft.observations);
    Ok(Verdict::Repaired { args: (tool.tables().finish)(draft.value), changes, observations })
}

/// True if some text holds a backspace or a form feed.
fn has_bell(value: &Value) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::String(text) if text.contains(['\u{8}', '\u{c}']) => return true,
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// True if the host, given `value`, executes exactly `repaired`.
fn host_reads(tool: &Tool, value: &Value, repaired: &Value) -> bool {
    let converted = tool.host().and_then(|host| {
        (tool.tables().convert)(host, tool.origin(), tool.schema_document(), value)
    });
    converted.is_some_and(|converted| (tool.tables().same)(&converted, repaired))
}

/// The end of a repair after which the schema still rejects something.
fn give_up(tool: &Tool, value: &Value, draft: Draft, context: &Context<'_>) -> GivenUp {
    let reason = reason_of(tool, value, &draft, context);
    GivenUp { reason, reached: Some(draft.value) }
}

/// The reason of a refusal for which no rule gave one.
fn reason_of(tool: &Tool, value: &Value, draft: &Draft, context: &Context<'_>) -> Reason {
    if let Some(reason) = &draft.hint {
        return reason.clone();
    }
    let withheld = |seen: &Observation| seen.kind == ObservationKind::Withheld;
    if draft.observations.iter().any(withheld) && context.policy != Policy::Adaptive {
        let bolder = Context { policy: Policy::Adaptive, ..*context };
        if repair(tool, value, Given::value(), &bolder).is_ok() {
            return Reason::Withheld;
        }
    }
    if !context.stop_reason.is_normal() {
        return Reason::CutOff(None);
    }
    let converts =
        |host| (tool.tables().convert)(host, tool.origin(), tool.schema_document(), &draft.value);
    if tool.host().and_then(converts).is_some() {
        return Reason::LossyConversion;
    }
    Reason::Misfit
}

/// Why these liberties must not be taken, if so.
pub(crate) fn forbidden(
    liberties: &[LibertyUse],
    tool: &Tool,
    context: &Context<'_>,
) -> Option<Reason> {
    let tables = tool.tables();
    let closes = liberties.iter().any(|used| used.liberty.truncation);
    if closes && !(tables.may_close)(context) {
        return Some(Reason::CutOff(None));
    }
    (closes && !(tables.permits)(context.policy, crate::Grade::Adaptive))
        .then_some(Reason::Withheld)
}

/// The change that tells of a liberty; it has no operations.
pub(crate) fn liberty_change(used: &LibertyUse, pointer: &Pointer) -> Change {
    Change {
        rule: used.liberty.id,
        stage: Stage::Read,
        pointer: pointer.clone(),
        operations: Vec::new(),
        note: used.liberty.note.to_owned(),
    }
}
