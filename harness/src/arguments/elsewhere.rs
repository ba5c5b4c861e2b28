//! One tool of an engine elsewhere: questions as the protocol asks them, answers as ours would be.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use engine::reader::Stop;
use engine::{
    Change, Limits, Observation, ObservationKind, Operation, Pointer, ReadArguments, Reason,
    Refusal, Stage, ToolSpec,
};
use serde_json::{Map, Value, json};

use super::case::Case;
use super::run::Answer;
use super::subject::{Ask, Found, Subject};
use super::tables;
use crate::area::Ended;
use crate::conform::{Feature, Numbers, Operation as Asked, Remote, wire};
use crate::malform::Form;
use crate::oracle::reference::{Strict, read_strict};

/// Levels of a value that is sent; the engine's own limits end below this.
const DEPTH_MAX: usize = 280;

/// Rules of other engines that are kept by name; beyond this they share one.
const RULES_MAX: usize = 1_000;

/// A tool of an engine elsewhere.
#[derive(Debug)]
pub(super) struct Elsewhere {
    remote: Arc<Remote>,
    tool: Value,
    names: Vec<String>,
}

impl Elsewhere {
    pub(super) fn new(remote: &Arc<Remote>, spec: &ToolSpec, names: Vec<String>) -> Self {
        Self { remote: Arc::clone(remote), tool: wire::tool(spec), names }
    }

    fn question(&self, ask: Ask<'_>) -> Option<Map<String, Value>> {
        let hello = self.remote.hello();
        let (op, member, sent) = match ask.form {
            Form::Value(value) if engine::depth::is_deeper_than(value, DEPTH_MAX) => return None,
            Form::Value(value) if hello.can(Asked::Repair) => {
                (Asked::Repair, "args", self.sendable(value.clone())?)
            }
            Form::Value(value) => (Asked::RepairText, "text", value.to_string().into()),
            Form::Text(text) if hello.can(Asked::RepairText) => {
                (Asked::RepairText, "text", text.as_str().into())
            }
            Form::Text(text) => match read_strict(text) {
                Strict::Value(value) => (Asked::Repair, "args", self.sendable(value)?),
                Strict::Conflict | Strict::Other => return None,
            },
        };
        let mut question = self.begin(op);
        question.insert("context".into(), wire::context(ask.case, ask.policy, ask.hook));
        question.insert(member.into(), sent);
        Some(question)
    }

    fn begin(&self, op: Asked) -> Map<String, Value> {
        let mut question = Map::new();
        question.insert("op".into(), op.name().into());
        question.insert("tool".into(), self.tool.clone());
        question
    }

    /// A value whose numbers the engine can hold.
    fn sendable(&self, value: Value) -> Option<Value> {
        match self.remote.hello().numbers {
            Numbers::Exact => Some(value),
            Numbers::Doubles => wire::as_doubles(value),
        }
    }
}

impl Subject for Elsewhere {
    fn repair(&self, ask: Ask<'_>) -> Answer {
        let Some(question) = self.question(ask) else { Ended::Skipped.throw() };
        let answer = self.remote.ask(&question);
        answered(&answer, &question, &self.tool).unwrap_or_else(|says| wire::wrong(&says, &answer))
    }

    fn read(&self, text: &str, case: &Case) -> Option<Result<ReadArguments, Box<Refusal>>> {
        if !self.remote.hello().can(Asked::Read) {
            return None;
        }
        let mut question = self.begin(Asked::Read);
        question.insert("context".into(), wire::context(case, case.policy, false));
        question.insert("text".into(), text.into());
        let answer = self.remote.ask(&question);
        if answer.get("outcome").is_some() {
            let refused = refusal(&answer, &self.tool);
            return Some(Err(Box::new(refused.unwrap_or_else(|says| wire::wrong(&says, &answer)))));
        }
        let flag = |name: &str| answer.get(name).and_then(Value::as_bool).unwrap_or(false);
        let Some(value) = answer.get("value") else { wire::wrong("no `value`", &answer) };
        Some(Ok(ReadArguments {
            value: self.spelled(value.clone()),
            changes: Vec::new(),
            strict: flag("strict"),
            inexact: flag("inexact"),
            steps: answer.get("steps").and_then(Value::as_u64).unwrap_or(0),
        }))
    }

    fn resolve(&self, name: &str) -> Option<Found> {
        if !self.remote.hello().can(Asked::ResolveName) {
            let tool = self.tool["name"].as_str().unwrap_or_default().to_owned();
            return Some(Found { tool, rules: Vec::new() });
        }
        let question = json!({"op": "resolve_name", "name": name, "tools": self.names});
        let Value::Object(question) = question else { return None };
        let answer = self.remote.ask(&question);
        let tool = answer.get("tool")?.as_str()?.to_owned();
        let rules = answer.get("rules").and_then(Value::as_array).into_iter().flatten();
        Some(Found { tool, rules: rules.filter_map(Value::as_str).map(interned).collect() })
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn names_rules(&self) -> bool {
        self.remote.hello().has(Feature::Rules)
    }

    fn may_refuse(&self, case: &Case) -> bool {
        let hello = self.remote.hello();
        // A call that is wrong as it was drawn carries no damage by name.
        let nameless = hello.undoes.is_some() && case.call.applied.is_empty();
        nameless || !hello.undoes(&case.call.applied)
    }

    fn spelled(&self, value: Value) -> Value {
        match self.remote.hello().numbers {
            Numbers::Exact => value,
            Numbers::Doubles => wire::as_doubles(value.clone()).unwrap_or(value),
        }
    }
}

fn answered(answer: &Value, question: &Map<String, Value>, tool: &Value) -> Result<Answer, String> {
    // As text, so that the order of keys and the spelling of numbers count.
    let alike = |left: &Value, right: &Value| {
        let [left, right] = [left, right].map(Value::to_string);
        left == right
    };
    let same = || match (answer.get("args"), question.get("args"), question.get("text")) {
        (None, _, _) => true,
        (Some(args), Some(sent), _) => alike(args, sent),
        (Some(args), _, Some(text)) => matches!(
            text.as_str().map(read_strict),
            Some(Strict::Value(sent)) if alike(args, &sent)
        ),
        _ => false,
    };
    match answer.get("outcome").and_then(Value::as_str) {
        Some("valid") => Ok(Answer::Valid { same: same() }),
        Some("deferred") => Ok(Answer::Deferred { same: same() }),
        Some("repaired") => Ok(Answer::Repaired {
            args: answer.get("args").cloned().ok_or("repaired without `args`")?,
            changes: each(answer, "changes", change)?,
            observations: each(answer, "observations", observation)?,
        }),
        Some("unrepairable") => refusal(answer, tool).map(Box::new).map(Answer::Refused),
        _ => Err("`outcome` is none of valid, deferred, repaired, unrepairable".to_owned()),
    }
}

fn each<T>(
    answer: &Value,
    member: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<T>, String> {
    let Some(rows) = answer.get(member).filter(|rows| !rows.is_null()) else {
        return Ok(Vec::new());
    };
    let rows = rows.as_array().map(|rows| rows.iter().map(read).collect::<Option<Vec<T>>>());
    rows.flatten().ok_or_else(|| format!("`{member}` cannot be read"))
}

fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

fn pointer(value: &Value, member: &str) -> Option<Pointer> {
    Some(Pointer::from_escaped(text(value, member)?))
}

fn change(row: &Value) -> Option<Change> {
    let operations = row.get("operations").and_then(Value::as_array).into_iter().flatten();
    Some(Change {
        rule: interned(text(row, "rule")?),
        stage: stage(text(row, "stage").unwrap_or("repair"))?,
        pointer: pointer(row, "pointer").unwrap_or_else(Pointer::root),
        operations: operations.map(operation).collect::<Option<Vec<_>>>()?,
        note: text(row, "note").unwrap_or_default().to_owned(),
    })
}

fn stage(name: &str) -> Option<Stage> {
    let all = [Stage::Read, Stage::Name, Stage::OwnerHook, Stage::Preprocess, Stage::Repair];
    all.into_iter().find(|stage| stage.name() == name)
}

fn operation(row: &Value) -> Option<Operation> {
    let path = pointer(row, "path")?;
    let value = || row.get("value").cloned();
    Some(match text(row, "op")? {
        "add" => Operation::Add { path, value: value()? },
        "remove" => Operation::Remove { path },
        "replace" => Operation::Replace { path, value: value()? },
        "move" => Operation::Move { from: pointer(row, "from")?, path },
        _ => return None,
    })
}

fn observation(row: &Value) -> Option<Observation> {
    let kind = match text(row, "kind")? {
        "withheld" => ObservationKind::Withheld,
        "unknown-kind" => ObservationKind::UnknownKind,
        "hook-failed" => ObservationKind::HookFailed,
        _ => return None,
    };
    let stage = stage(text(row, "stage").unwrap_or("repair"))?;
    Some(Observation { rule: interned(text(row, "rule")?), stage, kind })
}

fn refusal(answer: &Value, tool: &Value) -> Result<Refusal, String> {
    let fingerprint = text(answer, "fingerprint").unwrap_or("0");
    let id = text(answer, "reason").unwrap_or("misfit");
    let detail = text(answer, "detail");
    Ok(Refusal {
        tool: text(tool, "name").unwrap_or_default().to_owned(),
        reason: reason(id, detail).unwrap_or(Reason::Misfit),
        issues: Vec::new(),
        expected: text(answer, "message").unwrap_or_default().to_owned(),
        preview: String::new(),
        fingerprint: u64::from_str_radix(fingerprint, 16)
            .map_err(|_| "`fingerprint` must be up to 16 hexadecimal digits")?,
    })
}

/// The reason of an id; what it is about stands in `detail`.
fn reason(id: &str, detail: Option<&str>) -> Option<Reason> {
    let place = || Pointer::from_escaped(detail.unwrap_or_default());
    let limit = |name: &str| Limits::DEFAULT.rows().into_iter().find(|row| row.0 == name);
    Some(match id {
        "cut-off" => Reason::CutOff(detail.map(|_| Stop::InString)),
        "unreadable" => Reason::Unreadable,
        "ambiguous-escape" => Reason::AmbiguousEscape,
        "two-values" => Reason::TwoValues,
        "duplicate-key" => Reason::DuplicateKey(detail.unwrap_or_default().to_owned()),
        "lone-surrogate" => Reason::LoneSurrogate,
        "inexact-number" => Reason::InexactNumber,
        "too-deep" => Reason::TooDeep(detail.and_then(|most| most.parse().ok()).unwrap_or(0)),
        "over-limit" => Reason::OverLimit(limit(detail.unwrap_or_default())?.0),
        "conflicting-aliases" => Reason::ConflictingAliases(place()),
        "foreign-field" => Reason::ForeignField(place()),
        "fold-conflict" => Reason::FoldConflict(place()),
        "ambiguous-envelope" => Reason::AmbiguousEnvelope(place()),
        "ambiguous-union" => Reason::AmbiguousUnion(place()),
        "not-plain" => Reason::NotPlain,
        "ambiguous-list" => Reason::AmbiguousList(place()),
        "damaged-path" => Reason::DamagedPath(place()),
        "lossy-conversion" => Reason::LossyConversion,
        "withheld" => Reason::Withheld,
        "unknown-tool" => Reason::UnknownTool,
        "misfit" => Reason::Misfit,
        _ => return None,
    })
}

/// What a refusal's reason is about, for the wire.
pub(crate) fn detail(reason: &Reason) -> Option<String> {
    match reason {
        Reason::CutOff(stop) => stop.map(|stop| stop.to_string()),
        Reason::DuplicateKey(key) => Some(key.clone()),
        Reason::TooDeep(most) => Some(most.to_string()),
        Reason::OverLimit(name) => Some((*name).to_owned()),
        other => other.pointer().map(|at| at.as_str().to_owned()),
    }
}

/// The name of a rule or of another id, as one that lives as long as the program. There are few: they are no values.
pub(crate) fn interned(name: &str) -> &'static str {
    static FOREIGN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = FOREIGN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.is_empty() {
        known.extend(tables::reachable());
        known.extend(["owner-hook", "preprocess"]);
    }
    if let Some(found) = known.get(name) {
        return found;
    }
    if known.len() > RULES_MAX {
        return "other";
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    known.insert(kept);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::REASONS;

    #[test]
    fn every_reason_has_a_way_back() {
        for (id, _) in REASONS {
            let detail = (*id == "over-limit").then_some("work_max");
            let read = reason(id, detail).expect("is a reason");
            assert_eq!(read.id(), *id);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let tool = json!({"name": "x"});
        let read = |answer: Value| answered(&answer, &Map::new(), &tool);
        assert!(read(json!({"outcome": "repaired"})).is_err_and(|says| says.contains("args")));
        assert!(read(json!({"outcome": "fine"})).is_err());
        let bad = json!({"outcome": "repaired", "args": 1, "changes": [{"stage": "repair"}]});
        assert!(read(bad).is_err_and(|says| says.contains("changes")));
        let operation = json!({"op": "move", "from": "/a", "path": "/b"});
        let change = json!({"rule": "own.rule", "pointer": "/b", "operations": [operation]});
        let good = json!({"outcome": "repaired", "args": {"b": 1}, "changes": [change]});
        let answer = read(good).expect("can be read");
        assert_eq!(answer.changes()[0].rule, "own.rule");
        assert_eq!(answer.changes()[0].to_json()["operations"][0]["from"], "/a");
    }
}
