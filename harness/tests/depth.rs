//! Deep and large input ends in an outcome, in a thread of 2 MiB.

use std::thread;

use engine::depth::dismantle;
use engine::{
    Context, Limits, Outcome, Reason, Registry, Tool, ToolConfig, ToolSpec, builtin, same_value,
};
use serde_json::{Value, json};

/// Stack of the thread that every test runs in, in bytes.
const STACK: usize = 2 << 20;

/// Levels of the deepest text and value.
const TEXT_LEVELS: usize = 100_000;
const VALUE_LEVELS: usize = 10_000;

const MIB: usize = 1 << 20;

fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    assert!(thread.join().is_ok(), "the thread failed");
}

fn tools() -> Vec<Tool> {
    let pi = builtin::TOOLS.iter().map(|name| Tool::builtin(name, None).expect("is there"));
    pi.chain([tree(), chain(), Tool::compile(own("open", json!({}))).expect("compiles")]).collect()
}

fn own(name: &str, schema: Value) -> ToolSpec {
    ToolSpec { name: name.to_owned(), schema, config: ToolConfig::default(), ..ToolSpec::default() }
}

/// A schema that leads back into itself through alternatives.
fn tree() -> Tool {
    let node = json!({"anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"$ref": "#/$defs/node"}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "required": ["a"]}]});
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}});
    Tool::compile(own("tree", schema)).expect("compiles")
}

/// A schema that leads straight back into itself.
fn chain() -> Tool {
    let schema = json!({"type": "object", "properties": {
        "a": {"$ref": "#"}, "n": {"type": "integer"}, "l": {"type": "array", "items": {"$ref": "#"}}}});
    Tool::compile(own("chain", schema)).expect("compiles")
}

fn contexts() -> [Context<'static>; 2] {
    let most = Context { limits: Limits::MOST, model: Some("glm-4.6"), ..Context::default() };
    [Context::default(), most]
}

/// Openers, what is inside, and closers.
fn nested(open: &str, inside: &str, close: &str, levels: usize) -> String {
    [open.repeat(levels), inside.to_owned(), close.repeat(levels)].concat()
}

/// `levels` containers around a number, made without recursion.
fn deep_value(levels: usize, wrap: fn(Value, usize) -> Value) -> Value {
    (0..levels).fold(Value::from(5), wrap)
}

fn object(inner: Value) -> Value {
    let mut members = serde_json::Map::new();
    members.insert("a".to_owned(), inner);
    Value::Object(members)
}

fn array(inner: Value) -> Value {
    Value::Array(vec![inner])
}

fn shapes() -> [fn(Value, usize) -> Value; 3] {
    [
        |inner, _| object(inner),
        |inner, _| array(inner),
        |inner, at| if at % 2 == 0 { object(inner) } else { array(inner) },
    ]
}

#[test]
fn texts_nested_without_end_are_refused() {
    on_small_stack(|| {
        let levels = TEXT_LEVELS;
        let inner = nested("[", "", "]", levels);
        let texts = [
            nested("[", "", "]", levels),
            nested("{\"a\":", "5", "}", levels),
            nested("[{\"a\":", "5", "}]", levels / 2),
            nested("{'a':[", "None", "],}", levels / 2),
            "[".repeat(levels),
            "{\"a\":".repeat(levels),
            format!("{{\"a\":{inner}}}"),
            format!("```json\n{{\"a\":{inner}}}\n```"),
            format!("Here it is: {{\"a\":{inner}}}"),
            nested("{\\\"a\\\":", "5", "}", levels),
        ];
        for tool in tools() {
            for context in contexts() {
                for text in &texts {
                    let outcome = tool.repair_text(text, None, &context);
                    let Outcome::Unrepairable(refusal) = outcome else {
                        panic!("{}: {}", tool.name(), outcome.name())
                    };
                    assert!(refusal.message().len() < 4096);
                    assert!(tool.read(text, &context).is_err());
                }
            }
        }
    });
}

/// Inside a string, depth is nothing until a rule reads it.
#[test]
fn deep_texts_inside_of_strings_end_in_an_outcome() {
    on_small_stack(|| {
        for inner in [nested("[", "", "]", TEXT_LEVELS), nested("{\"a\":", "5", "}", TEXT_LEVELS)] {
            let values = [
                json!({"path": "/x", "content": inner}),
                json!({"path": "/x", "edits": inner}),
                json!({"a": inner, "l": inner, "include": inner}),
                json!({"a": [inner, {"a": inner}]}),
                Value::from(inner.as_str()),
            ];
            for tool in tools() {
                for context in contexts() {
                    for value in &values {
                        let _ = tool.repair(value, &context);
                        let _ = tool.repair_text(&value.to_string(), None, &context);
                    }
                }
            }
            let write = Tool::builtin("write", None).expect("is there");
            assert_eq!(write.repair(&values[0], &Context::default()).name(), "valid");
        }
    });
}

#[test]
fn values_nested_without_end_are_refused_as_too_deep() {
    on_small_stack(|| {
        let registry = Registry::new(tools()).expect("names differ");
        for wrap in shapes() {
            let value = deep_value(VALUE_LEVELS, wrap);
            for name in registry.names() {
                for context in contexts() {
                    let call = registry.repair_call(name, &value, &context);
                    let Outcome::Unrepairable(refusal) = call.outcome else {
                        panic!("{name}: {}", call.outcome.name())
                    };
                    assert_eq!(refusal.reason, Reason::TooDeep(context.limits.depth_max));
                }
            }
            dismantle(value);
        }
    });
}

#[test]
fn what_a_hook_returns_may_be_too_deep_as_well() {
    on_small_stack(|| {
        let tool = chain();
        let hook = |_: &Value| Ok(deep_value(VALUE_LEVELS, |inner, _| array(inner)));
        let outcome = tool.repair_text("{}", Some(&hook), &Context::default());
        let Outcome::Unrepairable(refusal) = outcome else { panic!("{}", outcome.name()) };
        assert_eq!(refusal.reason, Reason::TooDeep(Context::default().limits.depth_max));
    });
}

/// At the limit itself validators recurse through references and alternatives.
#[test]
fn values_at_the_limit_end_in_an_outcome() {
    on_small_stack(|| {
        for context in contexts() {
            let levels = context.limits.depth_max as usize;
            for wrap in shapes() {
                for levels in [levels - 1, levels] {
                    let value = deep_value(levels, wrap);
                    for tool in tools() {
                        let whole = tool.repair(&value, &context).name();
                        let text = value.to_string();
                        assert_eq!(tool.repair_text(&text, None, &context).name(), whole);
                    }
                }
            }
            let valid = nested("{\"a\":", "{}", "}", levels - 1);
            assert_eq!(chain().repair_text(&valid, None, &context).name(), "valid");
        }
    });
}

#[test]
fn large_valid_input_is_valid() {
    on_small_stack(|| {
        let line = "    let \"quoted\" = [1, 2, 3]; // é\n";
        for bytes in [300 << 10, 8 * MIB] {
            let value = json!({"path": "/x", "content": line.repeat(bytes / line.len())});
            let text = value.to_string();
            let tool = Tool::builtin("write", None).expect("is there");
            for context in contexts() {
                let Outcome::Valid(same) = tool.repair(&value, &context) else {
                    panic!("as a value")
                };
                assert!(std::ptr::eq(same, &raw const value));
                let Outcome::Valid(same) = tool.repair_text(&text, None, &context) else {
                    panic!("as text")
                };
                assert!(std::ptr::eq(same, text.as_str()));
            }
        }
    });
}

#[test]
fn large_invalid_input_is_refused_or_repaired() {
    on_small_stack(|| {
        let tool = Tool::builtin("write", None).expect("is there");
        let content = "line\n".repeat(8 * MIB / 5);
        let expected = json!({"path": "/x", "content": content});
        let alias = json!({"file_path": "/x", "content": content});
        let [default, most] = contexts();
        match tool.repair(&alias, &default) {
            Outcome::Repaired { args, .. } => assert!(same_value(&args, &expected)),
            other => assert_eq!(other.name(), "unrepairable"),
        }
        let Outcome::Repaired { args, .. } = tool.repair_text(&alias.to_string(), None, &most)
        else {
            panic!("no limit forbids it")
        };
        assert!(same_value(&args, &expected));
        let mut cut = expected.to_string();
        cut.truncate(8 * MIB);
        for text in [cut, "x".repeat(8 * MIB), "[".repeat(8 * MIB), "\\".repeat(8 * MIB)] {
            for context in contexts() {
                let outcome = tool.repair_text(&text, None, &context);
                assert_eq!(outcome.name(), "unrepairable");
            }
        }
        for field in ["path", "edits", "content"] {
            let text = json!({ field: "[".repeat(8 * MIB) });
            assert_eq!(tool.repair(&text, &most).name(), "unrepairable", "{field}");
        }
    });
}
