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
    let other = call("ls", &json!({"path": "/x"}));
    check(&format!("{ls}{other}"), "", &["ls", "ls"], &[Promoted, Promoted]);
    check(&format!("<think>\n{ls}"), "<think>", &[], &[Removed]);
    check(&format!("{ls} </tool_call> b"), "b", &[], &[Removed, Removed]);
    check(&format!("{ls} <tool_ca"), "", &[], &[Removed, Removed]);
    check(&call("read", &json!({})), "", &[], &[Removed]);
    check(&call("fly", &json!({})), &call("fly", &json!({})), &[], &[Preserved]);
    let twice = format!("<tool_call>\n{}", call("fly", &json!({})));
    check(&twice, &twice, &[], &[Preserved, Preserved]);
    check(&format!("<tool_call>\n{ls}"), "", &[], &[Removed, Removed]);
    check(&format!("<tool_{ls}call>{{}}"), &format!("<tool_{ls}call>{{}}"), &[], &[LeftAlone]);
    check("Nothing here, `<tool_call>` aside.", "Nothing here, `<tool_call>` aside.", &[], &[]);
}

#[test]
fn fences_in_values_neither_hide_nor_lay_open() {
    use Action::{LeftAlone, Preserved, Promoted, Removed};
    let ls = call("ls", &json!({}));
    let fence = "<tool_call>{\"name\": \"write\", \"arguments\": {\"path\": \"/x\", \"content\": \"\n```\n\"}}</tool_call>";
    check(&format!("a\n{fence}\n\n{ls}"), "a", &["write"], &[Promoted, Removed]);
    let example = format!("```\n{ls}\n```\n");
    let left = format!("a\n\n{example}");
    check(&format!("a\n\n{fence}\n\n{example}"), &left, &[], &[Removed, Preserved]);
    let read = call("read", &json!({"path": "/x"}));
    let all = [Promoted, Promoted, Removed];
    check(&format!("a\n{read}\n\n{fence}\n\n{ls}"), "a", &["read", "write"], &all);
    // A block that only a later reading shows is blanked in the next, so that it decides as little.
    let two = fence.replace("```", "```\n```");
    check(&format!("{fence}\n\n{two}{ls}"), "", &["write"], &[Promoted, Removed, Removed]);
    let only_opens = fence.replace("```", "```sh");
    let twice = format!("{only_opens}\n\n{only_opens}");
    check(&format!("a\n\n{twice}\n\n{example}"), &left, &[], &[Removed, Removed, Preserved]);
    // Beyond a few readings nothing that changes is believed.
    let many = vec![only_opens; 9].join("\n\n");
    check(&many, &many, &[], &[LeftAlone; 4]);
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
    assert_eq!(run(Mode::Off).texts, [None, None]);
    let observed = run(Mode::Observe);
    assert!(!observed.changes_message());
    assert_eq!((observed.leaks.len(), observed.leaks[0].action), (1, Action::Observed));
    let stripped = run(Mode::Strip);
    assert_eq!(stripped.texts, [None, Some("a".to_owned())]);
    assert!(stripped.changes_message());
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

#[test]
fn a_bare_block_is_the_whole_message() {
    let bare = r#"{"name": "ls", "arguments": {}}"#;
    let found =
        |texts: &[&str]| treated(texts, GrammarConfig::default(), &Context::default()).leaks.len();
    assert_eq!((found(&[bare, " "]), found(&[" ", bare]), found(&[bare, "b"])), (1, 1, 0));
}

#[test]
fn every_text_of_a_message_is_treated() {
    let ls = call("ls", &json!({}));
    let config = || GrammarConfig { mode: Some(Mode::Strip), ..GrammarConfig::default() };
    let texts = [format!("a\n{ls}"), format!("b\n{ls}")];
    let treatment = treated(&[&texts[0], &texts[1]], config(), &Context::default());
    assert_eq!(treatment.texts, [Some("a".to_owned()), Some("b".to_owned())]);
    assert_eq!(treated(&["Nothing."], config(), &Context::default()).steps, 8);
    let strange = call("fly", &json!({}));
    let strips = GrammarConfig { unknown_tools: UnknownTools::Strip, ..config() };
    assert_eq!(treated(&[&strange], strips, &Context::default()).texts, [Some(String::new())]);
}

#[test]
fn records_name_tools_actions_states_and_all_that_is_in_the_way() {
    use Action::{LeftAlone, Observed, Preserved, Promoted, Removed};
    let list = r#"[TOOL_CALLS] [{"name": "ls", "arguments": {}}, {"name": "read", "arguments": {"path": "/x"}}, {"name": "ls", "arguments": {}}]"#;
    assert_eq!(recovered(list).leaks[0].tools, ["ls", "read"]);
    let empty = recovered(&call("read", &json!({})));
    assert_eq!(empty.leaks[0].closed, ["arguments-accepted", "arguments-given"]);
    let behind = recovered(&format!("</tool_call> Let me look.\n{}", call("ls", &json!({}))));
    assert_eq!(behind.leaks[1].closed, ["message-clean"]);
    assert_eq!(
        [Observed, Preserved, LeftAlone, Removed, Promoted].map(Action::name),
        ["observed", "preserved", "left-alone", "removed", "promoted"]
    );
    for (text, state) in [
        ("<tool_call>{\"name\": \"ls\"}</tool_call>", "whole"),
        ("<tool_call>{oops}</tool_call>", "damaged"),
        ("<tool_call>{\"name\": ", "cut-off"),
        ("a </tool_call> b", "dangling"),
        ("<tool_call>?</tool_call>", "unread"),
        ("a <tool_c", "cut-marker"),
    ] {
        assert_eq!(recovered(text).leaks[0].state.name(), state, "{text}");
    }
}

#[test]
fn a_field_given_twice_is_refused() {
    let grammar = Grammar::new(GrammarConfig::default()).expect("is ready");
    let (registry, context) = (registry(), Context::default());
    let result = |name: &str, arguments| {
        let call = LeakedCall { name: name.to_owned(), arguments };
        promote::ready(&call, &grammar, &registry, &context).result.map(|(args, _)| args)
    };
    let field = |text: &str| Field {
        name: "path".to_owned(),
        text: text.to_owned(),
        kind: FieldKind::Untyped,
    };
    let fields = |texts: &[&str]| Arguments::Fields(texts.iter().map(|text| field(text)).collect());
    assert_eq!(result("read", fields(&["/x"])), Ok(json!({"path": "/x"})));
    assert_eq!(result("read", fields(&["/x", "/y"])), Err("unreadable"));
    let json = || Arguments::Json(r#"{"path": "/x"}"#.to_owned());
    assert_eq!(result("read", json()), Ok(json!({"path": "/x"})));
    assert!(result(r#"read({"path": "/y"})"#, json()).is_err());
}

#[test]
fn steps_may_be_left_out_to_plant_bugs() {
    let ls = call("ls", &json!({}));
    let fence = call("write", &json!({"path": "/x", "content": "C"})).replace('C', "\n```\n");
    let found = |text: &str, tables| {
        let grammar = Grammar::with_tables(GrammarConfig::default(), tables).expect("is ready");
        let message = Message { assistant: true, texts: &[text], ..Message::default() };
        treat(&message, &grammar, &registry(), &Context::default()).leaks.len()
    };
    let dangling = tables::GrammarTables { dangling: false, ..Default::default() };
    assert_eq!(found(&format!("{ls}{ls} </tool_call>"), dangling), 2);
    let second = tables::GrammarTables { second_parse: false, ..Default::default() };
    let text = format!("{fence}\n\n{ls}");
    assert_eq!((found(&text, second), found(&text, tables::GrammarTables::default())), (1, 2));
}

#[test]
fn what_is_printed_is_read_in_the_same_spelling() {
    let tools = registry();
    let arguments = json!({"path": "/x"});
    let arguments = arguments.as_object().expect("is an object");
    let call = Printed { name: "read", arguments };
    let hermes = FAMILIES.iter().find(|family| family.id == "hermes").expect("is there");
    assert!((hermes.render)(&[call, call], "several").is_some());
    for family in FAMILIES {
        let scanner = Scanner::new(&[*family]);
        for spelling in family.spellings {
            for calls in [vec![call], vec![call, call]] {
                let Some(text) = (family.render)(&calls, spelling.id) else { continue };
                let scan = scanner.scan(&text, tools.names(), &[]);
                let blocks: Vec<_> = scan.leaks.iter().filter_map(Leak::block).collect();
                let read: usize = blocks.iter().map(|block| block.calls.len()).sum();
                assert_eq!(read, calls.len(), "{text}");
                assert!(blocks.iter().all(|block| block.spelling == spelling.id), "{text}");
            }
        }
        assert!((family.render)(&[call], "canonical").is_some(), "{}", family.id);
    }
}

#[test]
fn only_active_tools_are_called() {
    let text = call("ls", &json!({}));
    let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
    let grammar = Grammar::new(config).expect("is ready");
    for (name, ran) in [("ls", 1), ("read", 0)] {
        let (texts, active) = ([text.as_str()], [name.to_owned()]);
        let message =
            Message { assistant: true, texts: &texts, active: Some(&active), native_calls: 0 };
        let treatment = treat(&message, &grammar, &registry(), &Context::default());
        assert_eq!(treatment.calls.len(), ran, "{name}");
    }
}
