//! Questions about calls that were printed as text.

use std::sync::Arc;

use engine::grammar::tables::GrammarTables;
use engine::grammar::{self, Grammar, GrammarConfig, Handled, Message, Mode, Promoted, State};
use engine::{Change, ToolSpec, builtin};
use serde_json::{Value, json};

use super::{KEPT_MAX, Refused, Server, bad, context, lacks, text};

/// Where calls stand in one text.
pub(super) fn scan(server: &mut Server, question: &Value) -> Result<Value, Refused> {
    let shown = text(question, "text").ok_or_else(|| lacks("text"))?;
    let config = GrammarConfig { mode: Some(Mode::Observe), ..grammar_of(question)? };
    let found = treated(server, question, config, &[shown])?;
    Ok(json!({"leaks": found.leaks.iter().map(leak).collect::<Vec<_>>()}))
}

/// What becomes of a message.
pub(super) fn treat(server: &mut Server, question: &Value) -> Result<Value, Refused> {
    let texts = question.get("texts").and_then(Value::as_array).ok_or_else(|| lacks("texts"))?;
    let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
    let texts = texts.ok_or_else(|| lacks("texts"))?;
    let found = treated(server, question, grammar_of(question)?, &texts)?;
    Ok(json!({
        "texts": found.texts,
        "calls": found.calls.iter().map(call).collect::<Vec<_>>(),
        "leaks": found.leaks.iter().map(leak).collect::<Vec<_>>(),
        "steps": found.steps,
    }))
}

impl Server {
    /// The grammar of a question, made ready when it is first asked for.
    fn grammar(
        &mut self,
        question: &Value,
        config: GrammarConfig,
    ) -> Result<Arc<Grammar>, Refused> {
        let key = format!("{:?} {:?}", config.mode, question.get("grammar"));
        if let Some(grammar) = self.grammars.get(&key) {
            return Ok(Arc::clone(grammar));
        }
        let mut tables = GrammarTables::default();
        (self.leaky)(&mut tables);
        let grammar = Grammar::with_tables(config, tables);
        let grammar = Arc::new(grammar.map_err(|error| bad(&error.to_string()))?);
        if self.grammars.len() >= KEPT_MAX {
            self.grammars.clear();
        }
        self.grammars.insert(key, Arc::clone(&grammar));
        Ok(grammar)
    }
}

fn grammar_of(question: &Value) -> Result<GrammarConfig, Refused> {
    let given = question.get("grammar").map(GrammarConfig::from_json).transpose();
    Ok(given.map_err(|error| bad(&error.to_string()))?.unwrap_or_default())
}

fn treated(
    server: &mut Server,
    question: &Value,
    config: GrammarConfig,
    texts: &[&str],
) -> Result<grammar::Treatment, Refused> {
    let grammar = server.grammar(question, config)?;
    let own = |name: &str| {
        let spec = builtin::spec(name, None).ok().flatten();
        let open = || ToolSpec { name: name.to_owned(), ..ToolSpec::default() };
        spec.unwrap_or_else(open)
    };
    let registry = server.registry(question, &own)?;
    let active = question.get("active").and_then(Value::as_array);
    let active: Option<Vec<String>> =
        active.map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    let native = question.get("native_calls").and_then(Value::as_u64).unwrap_or(0);
    let message = Message {
        assistant: text(question, "role").is_none_or(|role| role == "assistant"),
        texts,
        native_calls: usize::try_from(native).unwrap_or(usize::MAX),
        active: active.as_deref(),
    };
    Ok(grammar::treat(&message, &grammar, &registry, &context(question)?))
}

fn leak(leak: &Handled) -> Value {
    json!({
        "part": leak.part,
        "start": leak.range.start,
        "end": leak.range.end,
        "family": leak.family,
        "spelling": leak.spelling,
        "state": leak.state.name(),
        "why": if let State::Damaged(why) = leak.state { Some(why) } else { None },
        "tools": leak.tools,
        "action": leak.action.name(),
        "closed": leak.closed,
        "refused": leak.refused,
    })
}

fn call(call: &Promoted) -> Value {
    json!({
        "name": call.tool,
        "args": call.args,
        "changes": call.changes.iter().map(Change::to_json).collect::<Vec<_>>(),
        "family": call.family,
        "spelling": call.spelling,
        "part": call.part,
        "start": call.range.start,
        "end": call.range.end,
    })
}
