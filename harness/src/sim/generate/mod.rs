//! Scripts made from choices: what providers, tools, extensions and users might do to the loop.
//!
//! A script waits only where it cannot matter how fast the machine is: what an event sets off comes
//! 1 ms later, whatever follows a wait comes at least 4 ms later, and nothing in between is timed.

mod acts;
mod answers;
mod handlers;
mod schemas;

use corpus::{CorpusError, Script, parse_script};
use serde_json::{Value, json};

use crate::source::{Choose, Source};

/// How scripts are drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Flavour {
    /// Well-formed calls, orderly answers.
    WellFormed,
    /// Malformed calls, failures, aborts, and handlers that meddle.
    Hostile,
}

/// Makes a script; equal choices make equal scripts.
///
/// # Errors
///
/// None, as long as the generator keeps to the format; a test says so.
pub fn script(
    source: &mut (impl Source + ?Sized),
    name: &str,
    flavour: Flavour,
) -> Result<Script, CorpusError> {
    let hostile = flavour == Flavour::Hostile;
    let mut made = Made { hostile, ..Made::default() };
    made.api = *source.pick(if hostile { APIS } else { &APIS[..1] });
    schemas::tools(source, &mut made);
    answers::turns(source, &mut made);
    if hostile || source.chance(1, 2) {
        handlers::handlers(source, &mut made);
    }
    acts::actions(source, &mut made);
    let settings = settings(source, hostile);
    let page = json!({
        "format": 1, "says": "generated", "api": made.api, "settings": settings,
        "models": [
            {"id": "scripted-1", "context_window": 20_000, "max_tokens": 4_000},
            {"id": "scripted-2", "context_window": 40_000, "max_tokens": 8_000},
        ],
        "tools": made.tools, "handlers": made.handlers, "turns": made.turns,
        "summaries": made.summaries, "actions": made.actions,
    });
    parse_script(name, &page.to_string())
}

/// The plain one is the most likely by far: the others cost a server.
const APIS: &[&str] = &[
    "scripted",
    "scripted",
    "scripted",
    "scripted",
    "scripted",
    "openai-completions",
    "anthropic-messages",
];

/// What has been made so far.
#[derive(Debug, Default)]
struct Made {
    hostile: bool,
    api: &'static str,
    tools: Vec<Value>,
    /// Arguments worth calling each tool with.
    calls: Vec<(String, Vec<Value>)>,
    handlers: Vec<Value>,
    turns: Vec<Value>,
    summaries: Vec<Value>,
    actions: Vec<Value>,
    /// Requests, counted from 1, whose answer waits for an abort.
    hanging: Vec<usize>,
}

impl Made {
    fn is_wired(&self) -> bool {
        self.api != "scripted"
    }
}

fn settings(source: &mut (impl Source + ?Sized), hostile: bool) -> Value {
    let retry = json!({
        "enabled": !(hostile && source.chance(1, 5)), "max": source.range(1, 3), "base_delay_ms": 15,
    });
    // How much is kept is measured in characters, and the words of a validator differ.
    let keep = if hostile { 1 } else { *source.pick(&[1_u32, 20, 200]) };
    let compaction = json!({
        "enabled": source.chance(1, 2), "reserve_tokens": 1_000, "keep_recent_tokens": keep,
    });
    json!({"retry": retry, "compaction": compaction})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Replay, Seeded};

    #[test]
    fn every_script_is_of_the_format_and_every_seed_makes_one() {
        for case in 0..500 {
            for flavour in [Flavour::WellFormed, Flavour::Hostile] {
                script(&mut Seeded::new(7, case), "made", flavour).expect("a script");
            }
        }
    }

    #[test]
    fn no_choices_make_the_simplest_script() {
        let made = script(&mut Replay::new(Vec::new()), "made", Flavour::Hostile);
        let made = made.expect("a script");
        assert!(made.handlers.is_empty());
        assert_eq!(made.actions.len(), 1);
    }
}
