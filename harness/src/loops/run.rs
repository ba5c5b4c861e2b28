//! Playing a session twice: as the host plays it alone, and with the engine plugged in.

use std::rc::Rc;
use std::sync::Arc;

use corpus::{Event, Origin, Trace, View};
use engine::advisor::NOTE_PREFIX;
use engine::grammar::tables::GrammarTables;
use engine::lifecycle::NOTE_OPEN;
use serde_json::Value;

use super::case::Case;
use super::features::FEATURES;
use super::mutants::Plant;
use crate::area::Seen;
use crate::malform::Form;
use crate::oracle::leaves::Supply;
use crate::sim::{Parts, Reference, grammar, play, play_with};

/// What can come of a session.
pub const HAPPENINGS: &[&str] =
    &["advice", "executed", "note", "orderly", "promoted", "refused-by-the-engine"];

/// The engine as it is, or with a planted bug.
#[derive(Debug)]
pub struct Workshop {
    parts: Parts,
}

impl Workshop {
    /// The engine's parts, altered.
    ///
    /// # Panics
    ///
    /// If no configuration can be made ready.
    pub fn new(plant: Plant) -> Self {
        let mut parts = Parts::default();
        (plant.tools)(&mut parts.tools);
        (plant.lifecycle)(&mut parts.lifecycle);
        (plant.advisor)(&mut parts.advisor);
        let mut tables = GrammarTables::default();
        (plant.grammar)(&mut tables);
        parts.grammar = Arc::new(grammar(tables).expect("a configuration without names"));
        Self { parts }
    }
}

/// A session, played.
#[derive(Debug)]
pub struct Run<'a> {
    /// The session.
    pub case: &'a Case,
    workshop: &'a Workshop,
    /// What was played; `None` where the loop cannot play the script.
    pub played: Option<Played>,
}

/// A session as the host plays it, and as it goes with the engine.
#[derive(Debug)]
pub struct Played {
    /// The host alone.
    pub alone: Trace,
    /// With the engine.
    pub mended: Trace,
}

/// An execution of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// The tool.
    pub tool: String,
    /// What it was handed.
    pub args: Value,
}

impl<'a> Run<'a> {
    /// Plays the session.
    ///
    /// # Errors
    ///
    /// A tool of the script that cannot be compiled.
    pub fn new(workshop: &'a Workshop, case: &'a Case) -> Result<Self, String> {
        let mut run = Self { case, workshop, played: None };
        if let Ok(alone) = play(&case.script, case.release)
            && let Some(mended) = run.play()?
        {
            run.played = Some(Played { alone, mended });
        }
        Ok(run)
    }

    /// Plays it with the engine, once more.
    ///
    /// # Errors
    ///
    /// As [`Run::new`].
    pub fn play(&self) -> Result<Option<Trace>, String> {
        let Case { script, release, .. } = self.case;
        let parts = self.workshop.parts.clone();
        let engine = Reference::of(parts, script, *release).map_err(|error| error.to_string())?;
        Ok(play_with(script, *release, Some(Rc::new(engine))).ok())
    }

    /// What a script can supply to a call: what its answers say, and what its handlers set.
    pub fn supply(&self) -> Supply {
        Supply::of(&Form::Value(serde_json::to_value(&self.case.script).unwrap_or_default()))
    }

    /// What a campaign counts.
    pub fn seen(&self) -> Seen {
        let Some(Played { alone, mended }) = &self.played else { return Seen::new("unplayable") };
        let mut seen = Seen::new(if alone == mended { "alike" } else { "changed" });
        let carried = FEATURES.iter().filter(|row| (row.shows)(&self.case.script));
        seen.features.extend(carried.map(|row| row.id));
        let events = serde_json::to_string(mended).unwrap_or_default();
        seen.fold(events.as_bytes());
        let promoted = events.contains("\"leak-");
        let refused = events.contains("Call to `") && events.contains("was not run");
        for (id, reached) in [
            ("advice", mended.requests().any(|request| !advice(request).is_empty())),
            ("executed", executions(mended).next().is_some()),
            ("note", results(mended).any(|text| text.contains(NOTE_OPEN))),
            ("orderly", self.case.orderly),
            ("promoted", promoted),
            ("refused-by-the-engine", refused),
        ] {
            if reached {
                seen.reach(id);
            }
        }
        seen
    }

    /// What `replay` prints.
    pub fn show(&self) -> Vec<(&'static str, String)> {
        let Some(Played { alone, mended }) = &self.played else {
            return vec![("played", "the loop cannot play it".to_owned())];
        };
        let lines = |trace: &Trace| trace.view(View::Saw).join("\n");
        vec![("alone", lines(alone)), ("with the engine", lines(mended))]
    }
}

/// Executions of tools, in order; nested ones count.
pub fn executions(trace: &Trace) -> impl Iterator<Item = Execution> {
    let of = |event: &&Event| event.from == Origin::T && event.name == "execute";
    trace.events.iter().filter(of).map(|event| Execution {
        tool: event.what.clone().unwrap_or_default(),
        args: event.saw.as_ref().map(|saw| saw["args"].clone()).unwrap_or_default(),
    })
}

/// The texts of all results in the session at its end.
pub fn results(trace: &Trace) -> impl Iterator<Item = &str> {
    let messages = trace.transcript.iter().filter(|message| message["role"] == "toolResult");
    let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    blocks.filter_map(|block| block["text"].as_str())
}

/// The messages of one request.
pub fn messages(request: &Event) -> &[Value] {
    let saw = request.saw.as_ref().and_then(|saw| saw["messages"].as_array());
    saw.map_or(&[], Vec::as_slice)
}

/// The places of the advisor's notes among the messages of one request.
pub fn advice(request: &Event) -> Vec<usize> {
    let is_advice = |message: &Value| match &message["content"] {
        Value::String(text) => text.starts_with(NOTE_PREFIX),
        Value::Array(blocks) => blocks
            .first()
            .and_then(|block| block["text"].as_str())
            .is_some_and(|text| text.starts_with(NOTE_PREFIX)),
        _ => false,
    };
    let all = messages(request).iter().enumerate();
    all.filter(|(_, message)| is_advice(message)).map(|(at, _)| at).collect()
}
