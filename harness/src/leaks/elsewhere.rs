//! An engine elsewhere: messages as the protocol sends them, treatments as ours would be.

use std::ops::Range;
use std::sync::Arc;

use engine::REASONS;
use engine::grammar::{Action, FAMILIES, GATES, Handled, Promoted, State, Treatment};
use serde_json::{Map, Value, json};

use super::case::{ALLOWED, Setting};
use super::tools;
use crate::arguments::interned;
use crate::conform::{Feature, Operation, Remote, wire};

/// An engine elsewhere, with the tools of every case as it is sent them.
#[derive(Debug)]
pub(super) struct Elsewhere {
    remote: Arc<Remote>,
    tools: Value,
}

impl Elsewhere {
    pub(super) fn new(remote: &Arc<Remote>) -> Self {
        let tools = tools::specs().iter().map(wire::tool).collect();
        Self { remote: Arc::clone(remote), tools }
    }

    pub(super) fn remote(&self) -> &Remote {
        &self.remote
    }

    pub(super) fn ask(&self, setting: &Setting, texts: &[&str]) -> Treatment {
        let mut question = asked(setting);
        question.insert("tools".into(), self.tools.clone());
        question.insert("texts".into(), json!(texts));
        let answer = self.remote.ask(&question);
        let tells = self.remote.hello().has(Feature::Leaks);
        read(&answer, texts, tells).unwrap_or_else(|says| wire::wrong(&says, &answer))
    }
}

/// The question without tools and texts; what is as ever is left out.
fn asked(setting: &Setting) -> Map<String, Value> {
    let mut grammar = json!({"unknownTools": setting.unknown.name()});
    if let Some(mode) = setting.mode {
        grammar["mode"] = mode.name().into();
    }
    if setting.allows {
        grammar["allowedTools"] = json!(ALLOWED);
    }
    let mut context = json!({
        "policy": setting.policy.name(),
        "stop_reason": setting.stop_reason.to_string(),
    });
    if let Some(model) = &setting.model {
        context["model"] = model.as_str().into();
    }
    let mut all = Map::new();
    all.insert("op".into(), Operation::Treat.name().into());
    all.insert("grammar".into(), grammar);
    all.insert("context".into(), context);
    if !setting.assistant {
        all.insert("role".into(), "user".into());
    }
    if setting.native_calls > 0 {
        all.insert("native_calls".into(), setting.native_calls.into());
    }
    if let Some(active) = &setting.active {
        all.insert("active".into(), json!(active));
    }
    all
}

/// Reads an answer; where the engine does not claim to tell what it found, that is not looked at.
fn read(answer: &Value, texts: &[&str], tells: bool) -> Result<Treatment, String> {
    let rows = list(answer, "texts")?;
    if rows.len() != texts.len() {
        return Err(format!("`texts` must have {} items", texts.len()));
    }
    let left = rows.iter().zip(texts).map(|(row, sent)| match row {
        Value::Null => Ok(None),
        Value::String(text) => Ok((text != sent).then(|| text.clone())),
        _ => Err("`texts` holds texts and null"),
    });
    let left = left.collect::<Result<_, _>>()?;
    let calls = list(answer, "calls")?.iter().map(|row| call(row, texts, tells));
    let calls = calls.collect::<Result<_, String>>()?;
    let leaks = if tells { list(answer, "leaks")?.as_slice() } else { &[] };
    let leaks = leaks.iter().map(|row| leak(row, texts)).collect::<Result<_, String>>()?;
    let steps = answer.get("steps").and_then(Value::as_u64).unwrap_or(0);
    Ok(Treatment { texts: left, calls, leaks, steps })
}

fn call(row: &Value, texts: &[&str], tells: bool) -> Result<Promoted, String> {
    let place = if tells { Some((place(row, texts)?, family(row)?)) } else { None };
    let ((part, range), family) = place.unwrap_or_default();
    Ok(Promoted {
        tool: text(row, "name")?.to_owned(),
        args: row.get("args").cloned().ok_or("a call without `args`")?,
        changes: Vec::new(),
        family,
        spelling: if tells { spelling(row) } else { "" },
        part,
        range,
    })
}

fn leak(row: &Value, texts: &[&str]) -> Result<Handled, String> {
    let (part, range) = place(row, texts)?;
    let names = |member| {
        let given = if row.get(member).is_some() { list(row, member)?.as_slice() } else { &[] };
        let names = given.iter().map(|name| name.as_str().ok_or("a list of names"));
        names.collect::<Result<Vec<&str>, _>>().map_err(|says| format!("`{member}` must be {says}"))
    };
    let gate = |name: &str| GATES.iter().map(|gate| gate.id).find(|id| *id == name);
    let reason = |name: &str| REASONS.iter().map(|row| row.0).find(|id| *id == name);
    Ok(Handled {
        part,
        range,
        family: family(row)?,
        spelling: spelling(row),
        state: state(row)?,
        tools: names("tools")?.into_iter().map(str::to_owned).collect(),
        action: action(text(row, "action")?)?,
        closed: known(names("closed")?, gate)?,
        refused: known(names("refused")?, reason)?,
    })
}

fn known(
    names: Vec<&str>,
    known: impl Fn(&str) -> Option<&'static str>,
) -> Result<Vec<&'static str>, String> {
    let each = |name| known(name).ok_or_else(|| format!("docs/catalog.md has no `{name}`"));
    names.into_iter().map(each).collect()
}

fn text<'v>(row: &'v Value, member: &str) -> Result<&'v str, String> {
    row.get(member).and_then(Value::as_str).ok_or_else(|| format!("`{member}` must be a text"))
}

fn list<'v>(row: &'v Value, member: &str) -> Result<&'v Vec<Value>, String> {
    row.get(member).and_then(Value::as_array).ok_or_else(|| format!("`{member}` must be a list"))
}

/// Bytes of one of the texts, whole characters each.
fn place(row: &Value, texts: &[&str]) -> Result<(usize, Range<usize>), String> {
    let count = |member: &str| {
        let count = row.get(member).and_then(Value::as_u64);
        count.and_then(|count| usize::try_from(count).ok())
    };
    let found = || {
        let (part, range) = (count("part")?, count("start")?..count("end")?);
        texts.get(part)?.get(range.clone()).map(|_| (part, range))
    };
    found().ok_or_else(|| "`part`, `start` and `end` must be bytes of a text".to_owned())
}

fn family(row: &Value) -> Result<&'static str, String> {
    let name = text(row, "family")?;
    let found = FAMILIES.iter().map(|family| family.id).find(|id| *id == name);
    found.ok_or_else(|| format!("docs/catalog.md has no family `{name}`"))
}

/// The spelling; empty where none is told.
fn spelling(row: &Value) -> &'static str {
    row.get("spelling").and_then(Value::as_str).map_or("", interned)
}

fn state(row: &Value) -> Result<State, String> {
    let why = row.get("why").and_then(Value::as_str).map_or("", interned);
    let all = [
        State::Whole,
        State::Damaged(why),
        State::CutOff,
        State::Dangling,
        State::Unread,
        State::CutMarker,
    ];
    let name = text(row, "state")?;
    all.into_iter().find(|state| state.name() == name).ok_or(format!("no state is `{name}`"))
}

fn action(name: &str) -> Result<Action, String> {
    let all =
        [Action::Observed, Action::Preserved, Action::LeftAlone, Action::Removed, Action::Promoted];
    all.into_iter().find(|action| action.name() == name).ok_or(format!("no action is `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named() {
        let texts = ["né"];
        let wrong = |answer: Value| read(&answer, &texts, true).expect_err("cannot be read");
        assert!(wrong(json!({"calls": []})).contains("texts"));
        assert!(wrong(json!({"texts": [], "calls": []})).contains("1 items"));
        assert!(wrong(json!({"texts": [1], "calls": []})).contains("null"));
        assert!(wrong(json!({"texts": [null], "calls": [{"name": "x"}]})).contains("start"));
        let leak = json!({"part": 0, "start": 0, "end": 2, "family": "glm", "state": "whole"});
        assert!(wrong(json!({"texts": [null], "calls": [], "leaks": [leak]})).contains("bytes"));
        let call = json!({"name": "x", "args": {}, "more": 1});
        let answer = json!({"texts": ["né"], "calls": [call], "leaks": 1});
        let told = read(&answer, &texts, false).expect("can be read");
        assert_eq!((told.texts, told.calls.len()), (vec![None], 1));
    }
}
