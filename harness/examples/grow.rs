//! `grow ENTRY FAMILY SIZE` runs one entry point once on one input, so that its instructions can be counted.

#[path = "../tests/families/mod.rs"]
mod families;

#[path = "../tests/families/leaks.rs"]
mod leaks;

use std::env;
use std::hint::black_box;

use engine::grammar::{Grammar, GrammarConfig, Message, Mode, treat};
use engine::{
    Change, Context, Operation, Outcome, Pointer, Registry, Stage, Tool, builtin, replay,
};
use families::Family;
use serde_json::{Map, Value, json};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [entry, family, size] = arguments.as_slice() else {
        return Err("usage: grow ENTRY FAMILY SIZE".to_owned());
    };
    let size = size.parse().map_err(|_| format!("`{size}` is no size"))?;
    match entry.as_str() {
        "resolve" => resolve(family, size),
        "replay" => replayed(family, size),
        "treat" => treated(family, size),
        _ => arguments_of(entry, family, size),
    }
}

/// The family of this name; the many long texts are looked at last, as they are slow to list.
fn family(name: &str) -> Result<Family, String> {
    let lists = [
        families::many_places,
        families::many_edits,
        families::awkward,
        families::raw_texts,
        families::long_texts,
    ];
    lists
        .into_iter()
        .find_map(|list| list().into_iter().find(|family| family.name == name))
        .ok_or_else(|| format!("there is no family `{name}`"))
}

/// Resolves names made of a mark, alone and around the name of a tool.
fn resolve(mark: &str, size: usize) -> Result<(), String> {
    let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
    let registry = Registry::new(tools).map_err(|error| error.to_string())?;
    for (before, after) in [("", ""), ("read", ""), ("", "read"), ("read[ARGS]{", "}")] {
        let name = [before, &mark.repeat(size), after].concat();
        let _ = black_box(registry.resolve_name(&name));
    }
    Ok(())
}

/// Treats the leaks of a message.
fn treated(name: &str, size: usize) -> Result<(), String> {
    let message = leaks::messages().into_iter().find(|message| message.name == name);
    let text = (message.ok_or_else(|| format!("there is no message `{name}`"))?.grow)(size);
    let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
    let registry = Registry::new(tools).map_err(|error| error.to_string())?;
    let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
    let grammar = Grammar::new(config).map_err(|error| error.to_string())?;
    let message = Message { assistant: true, texts: &[&text], ..Message::default() };
    drop(black_box(treat(&message, &grammar, &registry, &Context::default())));
    Ok(())
}

/// Runs one of the entry points that take arguments.
fn arguments_of(entry: &str, name: &str, size: usize) -> Result<(), String> {
    let family = family(name)?;
    let tool = Tool::compile(family.spec.clone()).map_err(|error| error.to_string())?;
    let tool_name = tool.name().to_owned();
    let input = (family.grow)(size);
    let [context, _] = families::contexts();
    let value = || input.value().ok_or_else(|| format!("`{name}` is a text"));
    match entry {
        "read" => drop(black_box(tool.read(&input.text(), &context))),
        "repair_text" => drop(black_box(tool.repair_text(&input.text(), None, &context))),
        "repair" => drop(black_box(tool.repair(value()?, &context))),
        "repair_replay" => {
            if let Outcome::Repaired { changes, .. } = tool.repair(value()?, &context) {
                let _ = black_box(replay(value()?.clone(), &changes));
            }
        }
        "call" => {
            let registry = Registry::new([tool]).map_err(|error| error.to_string())?;
            drop(black_box(registry.repair_call(&tool_name, value()?, &context)));
        }
        _ => return Err(format!("there is no entry point `{entry}`")),
    }
    Ok(())
}

/// Replays many operations of one kind, in one object or in one object each.
fn replayed(kind: &str, size: usize) -> Result<(), String> {
    let (verb, place) = kind.split_once(" in ").ok_or_else(|| format!("no kind `{kind}`"))?;
    let parent = |at: usize| match place {
        "many" => Pointer::root().child(&format!("o{at}")),
        "two" => Pointer::root().child(if at.is_multiple_of(2) { "a" } else { "b" }),
        _ => Pointer::root().child("a"),
    };
    let mut value = Map::new();
    let mut operations = Vec::new();
    for at in 0..size {
        let parent = parent(at);
        let Some(name) = parent.segments().next() else { continue };
        let path = parent.child(&format!("k{at}"));
        let members = value.entry(name).or_insert_with(|| json!({}));
        members["stays"] = json!(1);
        if verb != "adds" {
            members[format!("k{at}")] = json!(at);
        }
        operations.push(match verb {
            "removals" => Operation::Remove { path },
            "moves" => Operation::Move { from: path, path: parent.child(&format!("m{at}")) },
            "adds" => Operation::Add { path, value: json!(at) },
            "replacements" => Operation::Replace { path, value: json!(at) },
            _ => return Err(format!("no kind `{kind}`")),
        });
    }
    let change = |operation: Operation| Change {
        rule: "schema.drop-null",
        stage: Stage::Repair,
        pointer: operation.path().clone(),
        operations: vec![operation],
        note: String::new(),
    };
    let changes: Vec<Change> = operations.into_iter().map(change).collect();
    black_box(replay(Value::Object(value), &changes)).map(drop).map_err(|error| error.to_string())
}
