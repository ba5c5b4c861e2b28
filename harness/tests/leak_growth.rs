//! Four times the message costs about four times the steps, whatever the message.

#[path = "families/leaks.rs"]
mod leaks;

use engine::grammar::{Grammar, GrammarConfig, Message, Mode, treat};
use engine::{Context, Registry, Tool, builtin};

/// Repeats in the small message.
const SIZE: usize = 1_000;

/// How many times as large the larger messages are.
const FACTORS: [usize; 2] = [2, 4];

fn steps(text: &str, grammar: &Grammar, registry: &Registry) -> u64 {
    let message = Message { assistant: true, texts: &[text], ..Message::default() };
    treat(&message, grammar, registry, &Context::default()).steps
}

#[test]
fn treating_a_message_costs_linear_work() {
    let tools = builtin::TOOLS.iter().filter_map(|name| Tool::builtin(name, None));
    let registry = Registry::new(tools).expect("the names differ");
    let config = GrammarConfig { mode: Some(Mode::Recover), ..GrammarConfig::default() };
    let grammar = Grammar::new(config).expect("a configuration");
    let mut faults = Vec::new();
    for message in leaks::messages() {
        let small = steps(&(message.grow)(SIZE), &grammar, &registry);
        for factor in FACTORS {
            let large = steps(&(message.grow)(SIZE * factor), &grammar, &registry);
            if large > small * 115 / 100 * factor as u64 + 4_000 {
                faults.push(format!(
                    "{}: {small} steps became {large} at {factor} times",
                    message.name
                ));
            }
        }
    }
    assert!(faults.is_empty(), "not linear:\n{}", faults.join("\n"));
}
