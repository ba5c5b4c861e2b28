//! The treatment of messages, in the one family that needs nothing else.

use serde_json::json;

use super::*;
use crate::{Context, Registry, StopReason, Tool, builtin};

fn registry() -> Registry {
    let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
    Registry::new(tools).expect("names differ")
}

fn treated(texts: &[&str], config: GrammarConfig, context: &Context<'_>) -> Treatment {
    let grammar = Grammar::new(config).expect("is ready");
    let message = Message { assistant: true, texts, ..Message::default() };
    treat(&message, &grammar, &registry(), context)
}

fn recovered(text: &str) -> Treatment {
    let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
    treated(&[text], config, &Context::default())
}

fn call(tool: &str, args: &Value) -> String {
    format!("<tool_call>{}</tool_call>", json!({"name": tool, "arguments": args}))
}

/// What is left of `text`, the calls that run, and what was done.
fn check(text: &str, left: &str, calls: &[&str], actions: &[Action]) {
    let treatment = recovered(text);
    let shown = treatment.texts.first().cloned().flatten();
    assert_eq!(shown.as_deref().unwrap_or(text), left, "{text}");
    let ran: Vec<&str> = treatment.calls.iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(ran, calls, "{text}: {:?}", treatment.leaks);
    let done: Vec<Action> = treatment.leaks.iter().map(|leak| leak.action).collect();
    assert_eq!(done, actions, "{text}");
}

#[test]
fn leaks_are_removed_and_run_only_where_all_is_whole() {
    use Action::{LeftAlone, Preserved, Promoted, Removed};
    let ls = call("ls", &json!({}));
    let read = call("read", &json!({"file_path": "/x"}));
    check(&format!("a\n{ls}\n\n{read}"), "a", &["ls", "read"], &[Promoted, Promoted]);
    check(&format!("A.\n{ls}\n\n{read}\nB."), "A.\nB.", &[], &[Removed, Removed]);
    check(&format!("a {ls} b"), &format!("a {ls} b"), &[], &[Preserved]);
    check(&format!("{ls}{ls}"), "", &["ls"], &[Promoted, Removed]);
    check(&format!("{ls} </tool_call> b"), "b", &[], &[Removed, Removed]);
    check(&format!("{ls} <tool_ca"), "", &[], &[Removed, Removed]);
    check(&call("read", &json!({})), "", &[], &[Removed]);
    check(&call("fly", &json!({})), &call("fly", &json!({})), &[], &[Preserved]);
    check(&format!("<tool_{ls}call>{{}}"), &format!("<tool_{ls}call>{{}}"), &[], &[LeftAlone]);
    check("Nothing here, `<tool_call>` aside.", "Nothing here, `<tool_call>` aside.", &[], &[]);
}

#[test]
fn fences_in_values_neither_hide_nor_lay_open() {
    use Action::{Preserved, Promoted, Removed};
    let ls = call("ls", &json!({}));
    let fence = "<tool_call>{\"name\": \"write\", \"arguments\": {\"path\": \"/x\", \"content\": \"\n```\n\"}}</tool_call>";
    check(&format!("a\n{fence}\n\n{ls}"), "a", &["write"], &[Promoted, Removed]);
    let example = format!("```\n{ls}\n```\n");
    let left = format!("a\n\n{example}");
    check(&format!("a\n\n{fence}\n\n{example}"), &left, &[], &[Removed, Preserved]);
}

#[test]
fn every_gate_alone_keeps_a_call_from_running() {
    let text = call("ls", &json!({}));
    let registry = registry();
    let run = |context: &Context<'_>, message: &dyn Fn(&mut Message<'_>)| {
        let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
        let grammar = Grammar::new(config).expect("is ready");
        let texts = [text.as_str()];
        let mut given = Message { assistant: true, texts: &texts, ..Message::default() };
        message(&mut given);
        treat(&given, &grammar, &registry, context)
    };
    let closed = |treatment: Treatment| treatment.leaks[0].closed.clone();
    let context = Context::default();
    assert!(closed(run(&context, &|_| ())).is_empty());
    assert_eq!(closed(run(&context, &|it| it.assistant = false)), ["role-assistant"]);
    assert_eq!(closed(run(&context, &|it| it.native_calls = 1)), ["no-native-call"]);
    assert_eq!(closed(run(&context, &|it| it.active = Some(&[]))), ["tool-active"]);
    for stop_reason in [StopReason::ToolUse, StopReason::Length, StopReason::Other] {
        let context = Context { stop_reason, ..context };
        assert_eq!(closed(run(&context, &|_| ())), ["stop-normal"]);
    }
}

#[test]
fn modes_go_as_far_as_they_say() {
    let text = format!("a {}", call("ls", &json!({})));
    let run = |mode| {
        let config = GrammarConfig { mode: Some(mode), ..GrammarConfig::default() };
        treated(&["c", &text], config, &Context::default())
    };
    assert!(run(Mode::Off).leaks.is_empty());
    let observed = run(Mode::Observe);
    assert!(!observed.changes_message());
    assert_eq!((observed.leaks.len(), observed.leaks[0].action), (1, Action::Observed));
    let stripped = run(Mode::Strip);
    assert_eq!(stripped.texts, [None, Some("a".to_owned())]);
    assert!(stripped.calls.is_empty() && stripped.leaks[0].closed == ["mode-recovers"]);
    let ids = run(Mode::Recover).with_ids(|at| format!("id{at}"));
    assert_eq!((ids[0].0.as_str(), ids[0].1.tool.as_str()), ("id0", "ls"));
}

#[test]
fn what_a_leak_leaves_open_is_never_closed() {
    let text = r#"<tool_call>{"name": "read", "arguments": "{\"path\": \"/x\""}</tool_call>"#;
    let treatment = recovered(text);
    assert_eq!(treatment.leaks[0].closed, ["arguments-accepted"]);
    assert_eq!(treatment.leaks[0].refused, ["cut-off"]);
}

#[test]
fn examples_of_every_family_are_read_as_they_say() {
    let tools = registry();
    for family in FAMILIES {
        assert!(!family.examples.is_empty(), "{} has no example", family.id);
        assert_eq!(family.spellings.first().map(|row| row.id), Some("canonical"), "{}", family.id);
        for example in family.examples {
            let scanner = Scanner::new(&[*family]);
            let scan = scanner.scan(example.text, tools.names(), &[]);
            let leak = scan.leaks.first().expect(example.text);
            let state = leak.block().map(|block| block.state);
            let whole = !matches!(example.calls, "damaged" | "cut off");
            assert_eq!(state == Some(BlockState::Whole), whole, "{}", example.text);
        }
    }
}
