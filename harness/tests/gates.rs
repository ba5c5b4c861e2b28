//! Every combination of what holds a leaked call back: it runs if nothing does, and never otherwise.

use std::collections::BTreeMap;

use engine::grammar::{Attempt, GATES, Grammar, GrammarConfig, Message, Mode, treat};
use engine::{Context, Gate, Registry, StopReason, Tool, builtin};

/// What can stand against a call, one bit each.
const AGAINST: [&str; 15] = [
    "the mode",
    "the role",
    "the stop reason",
    "a native call",
    "damage",
    "a lone closer",
    "a fence",
    "the model",
    "an inactive tool",
    "an undeclared field",
    "a refused value",
    "missing arguments",
    "another part",
    "an announcement",
    "text behind",
];

fn is_set(bits: usize, name: &str) -> bool {
    AGAINST.iter().position(|it| *it == name).is_some_and(|at| bits >> at & 1 == 1)
}

/// A message in which just these things stand against its one call.
fn text(bits: usize) -> String {
    let has = |name| is_set(bits, name);
    let field = |key: &str, value: &str| format!("<parameter={key}>\n{value}\n</parameter>\n");
    let mut fields = String::new();
    if !has("missing arguments") {
        fields.push_str(&field("path", "/x"));
    }
    if has("an undeclared field") {
        fields.push_str(&field("colour", "red"));
    }
    if has("a refused value") {
        fields.push_str(&field("limit", "many"));
    }
    if has("damage") {
        fields.push_str("<parameter=>\n");
    }
    let block = format!("<tool_call>\n<function=read>\n{fields}</function>\n</tool_call>");
    let block = if has("a fence") { format!("```\n{block}\n```") } else { block };
    let mut text = String::new();
    if has("an announcement") {
        text.push_str("For example:\n\n");
    }
    if has("a lone closer") {
        text.push_str("</arg_value>\n\n");
    }
    text.push_str(&block);
    if has("text behind") {
        text.push_str("\n\nThat is all.");
    }
    text
}

fn runs(bits: usize, grammars: &[Grammar; 2], registry: &Registry) -> usize {
    let has = |name| is_set(bits, name);
    let text = text(bits);
    let texts = [if has("another part") { "[/TOOL_CALLS]" } else { "Done." }, text.as_str()];
    let active = [if has("an inactive tool") { "bash" } else { "read" }.to_owned()];
    let message = Message {
        assistant: !has("the role"),
        texts: &texts,
        native_calls: usize::from(has("a native call")),
        active: Some(&active),
    };
    let context = Context {
        model: Some(if has("the model") { "other" } else { "qwen3" }),
        stop_reason: if has("the stop reason") { StopReason::Length } else { StopReason::Stop },
        ..Context::default()
    };
    let grammar = &grammars[usize::from(has("the mode"))];
    treat(&message, grammar, registry, &context).calls.len()
}

#[test]
fn a_call_runs_only_if_nothing_stands_against_it() {
    let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
    let registry = Registry::new(tools).expect("the names differ");
    let gate = Gate { model_families: vec!["qwen".to_owned()], providers: Vec::new() };
    let grammars = [Mode::Recover, Mode::Strip].map(|mode| {
        let gates = BTreeMap::from([("qwen".to_owned(), gate.clone())]);
        let config = GrammarConfig { mode: Some(mode), gates, ..GrammarConfig::default() };
        Grammar::new(config).expect("a configuration")
    });
    for bits in 0..1_usize << AGAINST.len() {
        let against: Vec<&str> = AGAINST.into_iter().filter(|name| is_set(bits, name)).collect();
        let expected = usize::from(against.is_empty());
        assert_eq!(
            runs(bits, &grammars, &registry),
            expected,
            "against it: {against:?}\n{}",
            text(bits)
        );
    }
}

/// Each fact with the gate that looks at it.
type Row = (&'static str, fn(&mut Attempt) -> &mut bool);

const FACTS: [Row; 16] = [
    ("mode-recovers", |fact| &mut fact.recovers),
    ("role-assistant", |fact| &mut fact.assistant),
    ("stop-normal", |fact| &mut fact.stopped),
    ("no-native-call", |fact| &mut fact.no_native_call),
    ("block-whole", |fact| &mut fact.whole),
    ("message-clean", |fact| &mut fact.clean),
    ("outside-code", |fact| &mut fact.undisputed),
    ("not-mentioned", |fact| &mut fact.apart),
    ("nothing-behind", |fact| &mut fact.last),
    ("model-admitted", |fact| &mut fact.admitted),
    ("tool-active", |fact| &mut fact.active),
    ("fields-declared", |fact| &mut fact.declared),
    ("arguments-accepted", |fact| &mut fact.accepted),
    ("arguments-given", |fact| &mut fact.given),
    ("not-repeated", |fact| &mut fact.first),
    ("calls-few", |fact| &mut fact.few),
];

#[test]
fn every_combination_of_facts_closes_just_its_own_gates() {
    for bits in 0..1_usize << FACTS.len() {
        let mut attempt = Attempt::default();
        let mut expected = Vec::new();
        for (at, (gate, fact)) in FACTS.iter().enumerate() {
            *fact(&mut attempt) = bits >> at & 1 == 1;
            expected.extend((bits >> at & 1 == 0).then_some(*gate));
        }
        let closed: Vec<_> =
            GATES.iter().filter(|gate| !(gate.holds)(&attempt)).map(|gate| gate.id).collect();
        assert_eq!(closed, expected);
    }
}
