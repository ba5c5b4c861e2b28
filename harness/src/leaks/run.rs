//! Running a leak case: the grammar under test, what it makes of the message, and what else is asked of it.

use std::cell::OnceCell;
use std::hint::black_box;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use engine::Outcome;
use engine::grammar::tables::GrammarTables;
use engine::grammar::{
    Action, Grammar, GrammarConfig, Handled, MODES, Message, Mode, Promoted, Treatment,
    UnknownTools, treat,
};
use serde_json::{Value, json};

use super::case::file::Expected;
use super::case::{ALLOWED, Block, Call, Case, Setting};
use super::elsewhere::Elsewhere;
use super::mutants::Plant;
use super::tools::Tools;
use crate::area::Stage;
use crate::conform::{Feature, Hello, Remote};
use crate::oracle::equal;

/// Modes that a configuration may name, and none.
const MODES_COUNT: usize = 5;

/// The engine under test, sound or with a planted bug, or one elsewhere.
#[derive(Debug)]
pub struct Workshop {
    /// The tools of every case.
    pub tools: Tools,
    /// The same without any planted bug.
    pub sound: Tools,
    plant: Option<Plant>,
    grammars: [OnceLock<Grammar>; MODES_COUNT * 4],
    elsewhere: Option<Elsewhere>,
}

impl Workshop {
    /// Compiles the tools; grammars are made when they are first asked for.
    pub fn new(plant: Option<&Plant>) -> Self {
        let tools = plant.map_or_else(Tools::new, |plant| Tools::on(plant.tools));
        let (plant, grammars) = (plant.copied(), Default::default());
        Self { tools, sound: Tools::new(), plant, grammars, elsewhere: None }
    }

    /// A workshop for an engine elsewhere; the tools are there for a second opinion.
    pub fn elsewhere(remote: &Arc<Remote>) -> Self {
        Self { elsewhere: Some(Elsewhere::new(remote)), ..Self::new(None) }
    }

    /// What the engine says of itself, if it is elsewhere.
    pub fn hello(&self) -> Option<&Hello> {
        self.elsewhere.as_ref().map(|elsewhere| elsewhere.remote().hello())
    }

    /// Whether the engine heeds or tells this; ours does.
    fn has(&self, feature: Feature) -> bool {
        self.hello().is_none_or(|hello| hello.has(feature))
    }

    /// The grammar for these circumstances.
    fn grammar(&self, setting: &Setting) -> &Grammar {
        let mode = setting.mode.and_then(|mode| MODES.iter().position(|row| row.0 == mode));
        let strips = usize::from(setting.unknown == UnknownTools::Strip);
        let slot = mode.map_or(0, |at| at + 1) * 4 + strips * 2 + usize::from(setting.allows);
        self.grammars[slot].get_or_init(|| {
            let allowed = ALLOWED.iter().filter(|_| setting.allows);
            let config = GrammarConfig {
                mode: setting.mode,
                unknown_tools: setting.unknown,
                allowed: allowed.map(|name| (*name).to_owned()).collect(),
                ..GrammarConfig::default()
            };
            let mut tables = GrammarTables::default();
            if let Some(plant) = &self.plant {
                (plant.grammar)(&mut tables);
            }
            Grammar::with_tables(config, tables).expect("the configuration names nothing unknown")
        })
    }
}

/// A case with the engine's answer.
#[derive(Debug)]
pub struct Run<'a> {
    /// The case.
    pub case: &'a Case,
    /// The engine.
    pub workshop: &'a Workshop,
    /// What became of the message.
    pub treatment: Treatment,
    modes: [OnceCell<Treatment>; 3],
}

impl<'a> Run<'a> {
    /// Asks the engine.
    pub fn new(workshop: &'a Workshop, case: &'a Case) -> Self {
        let texts: Vec<&str> = case.texts.iter().map(String::as_str).collect();
        let treatment = ask(workshop, &case.setting, &texts);
        Self { case, workshop, treatment, modes: Default::default() }
    }

    /// Whether the treatment tells what was found, and where. If not, only texts and calls can be looked at;
    /// see [`super::seen`].
    pub fn tells(&self) -> bool {
        self.workshop.has(Feature::Leaks)
    }

    /// Whether the engine heeds what surrounds the message.
    pub fn heeds_gates(&self) -> bool {
        self.workshop.has(Feature::Gates)
    }

    /// Whether the engine heeds how tools are configured.
    pub fn heeds_configuration(&self) -> bool {
        self.workshop.has(Feature::Config)
    }

    /// What becomes of other texts, all else being the same.
    pub fn ask(&self, texts: &[&str]) -> Treatment {
        ask(self.workshop, &self.case.setting, texts)
    }

    /// The engine's stages on this message, each to be asked again alone.
    pub fn stages(&self) -> Vec<(&'static str, Stage<'_>)> {
        let texts: Vec<&str> = self.case.texts.iter().map(String::as_str).collect();
        let again = texts.clone();
        let scan = move || {
            let setting = Setting { mode: Some(Mode::Observe), ..self.case.setting.clone() };
            drop(black_box(ask(self.workshop, &setting, &texts)));
        };
        let treat = move || drop(black_box(self.ask(&again)));
        vec![("scan the message", Box::new(scan)), ("the whole treatment", Box::new(treat))]
    }

    /// What becomes of the message in another mode.
    pub fn under(&self, mode: Mode) -> &Treatment {
        if self.case.setting.mode == Some(mode) {
            return &self.treatment;
        }
        let slot = match mode {
            Mode::Off | Mode::Observe => 0,
            Mode::Strip => 1,
            Mode::Recover => 2,
        };
        self.modes[slot].get_or_init(|| {
            let setting = Setting { mode: Some(mode), ..self.case.setting.clone() };
            let texts: Vec<&str> = self.case.texts.iter().map(String::as_str).collect();
            ask(self.workshop, &setting, &texts)
        })
    }

    /// The texts that are left.
    pub fn left(&self) -> Vec<&str> {
        let pairs = self.case.texts.iter().zip(&self.treatment.texts);
        pairs.map(|(old, new)| new.as_deref().unwrap_or(old)).collect()
    }

    /// What was found in one text.
    pub fn leaks(&self, part: usize) -> impl Iterator<Item = &Handled> {
        self.treatment.leaks.iter().filter(move |leak| leak.part == part)
    }

    /// The ranges that were taken out of one text.
    pub fn removed(&self, part: usize) -> Vec<Range<usize>> {
        let gone = self.leaks(part).filter(|leak| leak.action >= Action::Removed);
        gone.map(|leak| leak.range.clone()).collect()
    }

    /// The ranges of what was found in one text and is not left there as code.
    pub fn open(&self, part: usize) -> Vec<Range<usize>> {
        let code = |leak: &&Handled| {
            leak.action == Action::Preserved && leak.closed.contains(&"outside-code")
        };
        let open = self.leaks(part).filter(|leak| !code(leak));
        open.map(|leak| leak.range.clone()).collect()
    }

    /// True if a block that lost its closer ends, as its family reads it, at a lone one further down: all
    /// between is then inside it.
    pub fn ends_at_lone_closer(&self, part: usize, range: &Range<usize>) -> bool {
        let here = || self.case.blocks.iter().filter(|block| block.part == part);
        let ends = |block: &&Block| block.damage == "lone-closer" && block.range.end == range.end;
        here().any(|lone| {
            ends(&lone) && here().any(|block| block != lone && block.range.start == range.start)
        })
    }

    /// True if the message was left alone lest its sides make a marker.
    pub fn is_left_alone(&self) -> bool {
        self.treatment.leaks.iter().any(|leak| leak.action == Action::LeftAlone)
    }

    /// The arguments that the tool makes of a call that it gets as a native one; `None` if it refuses.
    pub fn as_native(&self, call: &Call) -> Option<(String, Value)> {
        let args = Value::Object(call.arguments.clone());
        let context = self.case.setting.context();
        let repaired = self.workshop.tools.registry.repair_call(&call.name, &args, &context);
        let tool = repaired.tool?.to_owned();
        match repaired.outcome {
            Outcome::Valid(_) | Outcome::Deferred(_) => Some((tool, args.clone())),
            Outcome::Repaired { args, .. } => Some((tool, args)),
            Outcome::Unrepairable(_) => None,
        }
    }

    /// True if the promoted call is what this printed call means.
    pub fn is_meant(&self, call: &Call, promoted: &Promoted) -> bool {
        let sent = Value::Object(call.arguments.clone());
        let plain = promoted.tool == call.name && says(&sent, &promoted.args);
        let native = |call: &Call| {
            self.as_native(call)
                .is_some_and(|(tool, args)| tool == promoted.tool && says(&args, &promoted.args))
        };
        plain || native(call) || native(&as_printed(call, &promoted.args))
    }

    /// What `replay` prints.
    pub fn show(&self) -> Vec<(&'static str, String)> {
        let calls: Vec<Value> = self.treatment.calls.iter().map(shown).collect();
        let leaks = self.treatment.leaks.iter().map(|leak| {
            let closed = leak.closed.join(" ");
            let (state, action) = (leak.state.name(), leak.action.name());
            format!(
                "{}:{:?} {} {} {state} {action} [{closed}]",
                leak.part, leak.range, leak.family, leak.spelling
            )
        });
        vec![
            ("setting", format!("{:?}", self.case.setting)),
            ("intent", format!("{:?}", self.case.intent)),
            ("printed", format!("{:?}", self.case.blocks.iter().map(brief).collect::<Vec<_>>())),
            ("leaks", leaks.collect::<Vec<_>>().join("\n")),
            ("calls", Value::from(calls).to_string()),
            ("left", format!("{:?}", self.left())),
        ]
    }

    /// How the answer differs from what a file wants.
    pub fn miss(&self, expected: &Expected) -> Option<String> {
        let same = |calls: &Vec<Call>| {
            let mut pairs = calls.iter().zip(&self.treatment.calls);
            let each = |(call, got): (&Call, &Promoted)| {
                call.name == got.tool
                    && equal::same(&Value::Object(call.arguments.clone()), &got.args)
            };
            calls.len() == self.treatment.calls.len() && pairs.all(each)
        };
        if !expected.calls.is_empty() && !expected.calls.iter().any(same) {
            return Some("other calls run than the file wants".to_owned());
        }
        let left = expected.left.as_ref().filter(|left| **left != self.left());
        left.map(|left| format!("{:?} is left, not {left:?}", self.left()))
    }
}

fn brief(block: &Block) -> String {
    let (family, spelling, damage) = (&block.family, &block.spelling, &block.damage);
    format!(
        "{}:{:?} {family}/{spelling} shown={} calm={} {damage}",
        block.part, block.range, block.shown, block.calm
    )
}

/// The call with those values as text that came as the text they were printed as.
fn as_printed(call: &Call, got: &Value) -> Call {
    let mut call = call.clone();
    for (key, value) in &mut call.arguments {
        if let Some(text) = got.get(key).filter(|got| got.is_string() && says(value, got)) {
            *value = text.clone();
        }
    }
    call
}

fn shown(call: &Promoted) -> Value {
    json!({"name": call.tool, "arguments": call.args})
}

fn ask(workshop: &Workshop, setting: &Setting, texts: &[&str]) -> Treatment {
    if let Some(elsewhere) = &workshop.elsewhere {
        return elsewhere.ask(setting, texts);
    }
    let message = Message {
        assistant: setting.assistant,
        texts,
        native_calls: setting.native_calls,
        active: setting.active.as_deref(),
    };
    treat(&message, workshop.grammar(setting), &workshop.tools.registry, &setting.context())
}

/// True if two values say the same. What a format does not quote may come as the text that was printed.
fn says(meant: &Value, got: &Value) -> bool {
    match (meant, got) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| says(a, b)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).all(|(a, b)| says(a, b))
        }
        (Value::String(_), _) => meant == got,
        (_, Value::String(text)) => {
            let read: Option<Value> = serde_json::from_str(text).ok();
            read.is_some_and(|read| equal::same(meant, &read))
        }
        _ => equal::same(meant, got),
    }
}
