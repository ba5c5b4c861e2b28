//! What a block's calls would be: named, typed, repaired by their own tools.

use std::ops::Range;

use serde_json::{Map, Value};

use super::config::Grammar;
use super::typed::Typed;
use super::{Arguments, LeakedCall};
use crate::names::Resolved;
use crate::{Change, Context, Outcome, Pointer, Reason, Registry, StopReason, Tool};

/// A call that a leak became. Its id is the caller's to give.
#[derive(Clone, Debug, PartialEq)]
pub struct Promoted {
    /// The registered tool.
    pub tool: String,
    /// The arguments, accepted by the tool's own repair.
    pub args: Value,
    /// What was done to name and arguments.
    pub changes: Vec<Change>,
    /// The family of the leak.
    pub family: &'static str,
    /// The spelling of the leak.
    pub spelling: &'static str,
    /// Which text of the message it stood in.
    pub part: usize,
    /// The bytes of that text which its block owned.
    pub range: Range<usize>,
}

/// Arguments and what was done to them, or the reason of the refusal.
type Repaired = Result<(Value, Vec<Change>), &'static str>;

/// One call of a block, as far as it can be brought.
pub(super) struct Ready<'r> {
    /// The registered tool, if the name is one's.
    pub(super) tool: Option<&'r Tool>,
    /// True if every field is one of the tool's.
    pub(super) declared: bool,
    /// True unless there are no arguments, and the tool requires some.
    pub(super) given: bool,
    /// What the tool's own repair says.
    pub(super) result: Repaired,
}

/// Names, types and repairs one call.
///
/// It is repaired as if the message had been cut off: a block is whole, so whatever its arguments
/// leave open was never meant to be closed by us.
pub(super) fn ready<'r>(
    call: &LeakedCall,
    grammar: &Grammar,
    registry: &'r Registry,
    context: &Context<'_>,
) -> Ready<'r> {
    let resolved = registry.resolve_name(&call.name).ok();
    let named = resolved.as_ref().and_then(|it| Some((it, registry.tool(&it.tool)?)));
    let Some((resolved, tool)) = named else {
        let result = Err(Reason::UnknownTool.id());
        return Ready { tool: None, declared: true, given: true, result };
    };
    let typed = match &call.arguments {
        Arguments::Fields(fields) => (grammar.tables.type_fields)(fields, tool),
        Arguments::Value(map) => Typed { arguments: map.clone(), declared: true, sound: true },
        Arguments::Json(_) => Typed { declared: true, sound: true, ..Typed::default() },
    };
    let attempt = |context: &Context<'_>| match &call.arguments {
        _ if !typed.sound => Err(Reason::Unreadable.id()),
        Arguments::Json(text) => of_text(tool, resolved, text, context),
        _ => of_value(registry, &call.name, &typed.arguments, context),
    };
    let closes = grammar.tables.closes_cut;
    let stop_reason = if closes { context.stop_reason } else { StopReason::Other };
    let result = attempt(&Context { stop_reason, ..*context });
    // Without the cut that was assumed, the reason is the one that the model can do something about.
    let result = result.map_err(|reason| attempt(context).err().unwrap_or(reason));
    let some = |args: &Value| args.as_object().is_none_or(|args| !args.is_empty());
    let empty = is_empty(&call.arguments) || result.as_ref().is_ok_and(|(args, _)| !some(args));
    let given = !empty || tool.schema().root().required().next().is_none();
    Ready { tool: Some(tool), declared: typed.declared, given, result }
}

fn is_empty(arguments: &Arguments) -> bool {
    match arguments {
        Arguments::Json(text) => matches!(text.trim_ascii(), "" | "{}" | "null"),
        Arguments::Fields(fields) => fields.is_empty(),
        Arguments::Value(map) => map.is_empty(),
    }
}

/// The whole call through the registry's own repair.
fn of_value(
    registry: &Registry,
    name: &str,
    args: &Map<String, Value>,
    context: &Context<'_>,
) -> Repaired {
    let args = Value::Object(args.clone());
    let call = registry.repair_call(name, &args, context);
    let mut changes = call.name_changes;
    match call.outcome {
        Outcome::Valid(args) | Outcome::Deferred(args) => Ok((args.clone(), changes)),
        Outcome::Repaired { args, changes: more, .. } => {
            changes.extend(more);
            Ok((args, changes))
        }
        Outcome::Unrepairable(refusal) => Err(refusal.reason.id()),
    }
}

/// Arguments as JSON text, through the tool's own reader and repair.
fn of_text(tool: &Tool, resolved: &Resolved, text: &str, context: &Context<'_>) -> Repaired {
    if resolved.arguments.is_some() || resolved.announced {
        // Arguments inside the name, or announced there, stand against those beside it.
        return Err(Reason::AmbiguousEnvelope(Pointer::root()).id());
    }
    let mut changes: Vec<Change> =
        resolved.rules.iter().map(|rule| rule.change_for(tool.name())).collect();
    let (args, more) = match tool.repair_text(text, None, context) {
        Outcome::Valid(_) | Outcome::Deferred(_) => {
            let read = tool.read(text, context).map_err(|refusal| refusal.reason.id())?;
            if read.inexact {
                return Err(Reason::InexactNumber.id());
            }
            (read.value, read.changes)
        }
        Outcome::Repaired { args, changes, .. } => (args, changes),
        Outcome::Unrepairable(refusal) => return Err(refusal.reason.id()),
    };
    changes.extend(more);
    Ok((args, changes))
}
