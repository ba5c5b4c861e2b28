//! Running a case: the host's reports told to the engine and to the model, records written, read, counted and rotated.

mod calls;
mod host;
pub mod journal;
mod settings;

use engine::lifecycle::{self, Bounds, Lifecycle};
use engine::settings::Loaded;
use engine::telemetry::{self, LogReader, Recorder, Stats};
use engine::{Registry, Tool, ToolSpec, builtin};
use serde_json::json;

use super::case::Case;
use super::case::script::{DOINGS, Doing, What};
use super::mutants::Plant;
use crate::area::Seen;
pub use calls::{Handled, records};
pub use host::Told;
pub use journal::Journal;
pub use settings::Edited;

/// The engine under test, and the tools of every session.
#[derive(Debug)]
pub struct Workshop {
    plant: Plant,
    registry: Registry,
}

impl Workshop {
    /// The engine as it is, or with a planted bug.
    ///
    /// # Panics
    ///
    /// If a tool cannot be compiled.
    pub fn new(plant: Plant) -> Self {
        let mut specs: Vec<ToolSpec> = ["read", "edit", "bash", "grep", "ls"]
            .iter()
            .map(|name| builtin::spec(name, None).expect("reads").expect("is one of pi's"))
            .collect();
        let tags = json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}});
        let label = json!({"type": "object", "required": ["tags"], "properties": {"tags": tags, "colour": {"enum": ["red", "blue"]}}});
        let odd = json!({"type": "object", "properties": {"n": {"type": "number"}}});
        for (name, schema) in [("label", label), ("my tool", odd)] {
            specs.push(ToolSpec { name: name.to_owned(), schema, ..ToolSpec::default() });
        }
        let tools = specs.into_iter().map(|spec| {
            let mut tables = engine::tables::Tables::default();
            (plant.tools)(&mut tables);
            Tool::compile_with(spec, tables).expect("compiles")
        });
        let registry = Registry::new(tools).expect("names differ");
        Self { plant, registry }
    }

    /// The tools of the session.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    fn lifecycle(&self, bounds: Bounds) -> Lifecycle {
        let mut tables = lifecycle::tables::Tables { bounds, ..Default::default() };
        (self.plant.lifecycle)(&mut tables);
        Lifecycle::planted(tables)
    }

    fn telemetry(&self) -> telemetry::tables::Tables {
        let mut tables = telemetry::tables::Tables::default();
        (self.plant.telemetry)(&mut tables);
        tables
    }

    /// Builds records.
    pub fn recorder(&self) -> Recorder {
        Recorder::planted(self.telemetry())
    }

    /// Reads logs.
    pub fn reader(&self) -> LogReader {
        LogReader::planted(self.telemetry())
    }

    /// Counts records.
    pub fn stats(&self) -> Stats {
        Stats::planted(self.telemetry())
    }

    /// Reads a settings file.
    pub fn load(&self, text: &str) -> Loaded {
        let mut tables = engine::settings::tables::Tables::default();
        (self.plant.settings)(&mut tables);
        Loaded::planted(Some(text), &tables)
    }
}

/// A case with everything the engine answered.
#[derive(Debug)]
pub struct Run<'a> {
    /// The case.
    pub case: &'a Case,
    /// The engine.
    pub workshop: &'a Workshop,
    /// What became of each call.
    pub calls: Vec<Handled>,
    /// What the lifecycle answered to each step, and what the model did.
    pub told: Vec<Told>,
    /// The log.
    pub journal: Option<Journal>,
    /// The settings file.
    pub edited: Option<Edited>,
}

impl<'a> Run<'a> {
    /// Asks the engine.
    ///
    /// # Errors
    ///
    /// Arguments or changes of the case that are no JSON.
    pub fn new(workshop: &'a Workshop, case: &'a Case) -> Result<Self, String> {
        let calls = calls::handle(workshop, case)?;
        let told = host::tell(workshop, case, &calls);
        let journal = case.log.as_ref().map(|log| {
            let records = calls.iter().flat_map(|call| call.records.iter().cloned());
            Journal::new(workshop, log, records.chain([calls::advice(workshop, case)]).collect())
        });
        let edited = case.file.as_ref().map(|file| Edited::new(workshop, file)).transpose()?;
        Ok(Self { case, workshop, calls, told, journal, edited })
    }

    /// Every note that was given out, with its call.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &lifecycle::Note)> {
        self.steps().filter_map(|(what, told)| match (what, &told.note) {
            (What::Call(_, call), Some(note)) => Some((call, note)),
            _ => None,
        })
    }

    /// Every step with what came of it.
    pub fn steps(&self) -> impl Iterator<Item = (What, &Told)> {
        self.case.script.steps.iter().map(|step| step.what).zip(&self.told)
    }

    /// What the lifecycle answers if the host reports all of it again, to another of its kind.
    pub fn tell_again(&self) -> Vec<Told> {
        host::tell(self.workshop, self.case, &self.calls)
    }

    /// True if every note can be told to belong: the host names its calls, or they come and go in order.
    pub fn is_certain(&self) -> bool {
        let script = &self.case.script;
        let keeps = self.case.bounds == Bounds::DEFAULT && script.is_brisk();
        // What is left of a nested call has no name, and would go to an equal call that was forgotten.
        let is_flat = script.calls.iter().all(|call| !call.nested);
        // Without starts, a second call of one id takes nothing, and leaves its own to the next.
        let are_apart = (0..script.calls.len()).all(|call| !script.shares_id(call));
        let in_order = script.is_orderly() && are_apart;
        if script.names_starts() { is_flat || keeps } else { keeps && in_order }
    }

    /// What a campaign counts.
    pub fn seen(&self) -> Seen {
        if let Some(edited) = &self.edited {
            return edited.seen();
        }
        let noted = self.notes().next().is_some();
        let mut seen = Seen::new(if noted { "noted" } else { "silent" });
        for (what, told) in self.steps() {
            match what {
                What::Call(doing, _) => seen.reach(name(doing)),
                What::RunEnded => seen.reach("run-ended"),
                What::Shutdown => seen.reach("shutdown"),
            }
            if let Some(note) = &told.note {
                seen.reach("note");
                seen.fold(note.text.as_bytes());
            }
            seen.fold(&[u8::try_from(told.held.0 + told.held.1).unwrap_or(u8::MAX)]);
        }
        let is_unnamed = !self.case.script.names_starts();
        for (id, reached) in [
            ("unnamed", is_unnamed),
            ("nested", self.case.script.calls.iter().any(|call| call.nested)),
            ("strict", self.case.script.calls.iter().any(|call| call.strict)),
            ("aged-or-evicted", self.told.iter().any(|told| told.lost)),
        ] {
            if reached {
                seen.reach(id);
            }
        }
        if let Some(journal) = &self.journal {
            journal.count(&mut seen);
        }
        seen
    }

    /// What `replay` prints.
    pub fn show(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        for (call, note) in self.notes() {
            rows.push(("note", format!("call {call}: {}", note.text)));
        }
        if let Some(journal) = &self.journal {
            rows.push(("log", String::from_utf8_lossy(&journal.bytes).into_owned()));
            rows.push(("skipped", format!("{:?}", journal.skipped)));
        }
        if let Some(edited) = &self.edited {
            rows.push(("settings", format!("{:?}", edited.loaded.settings)));
            rows.push(("saved", format!("{:?}", edited.saved)));
        }
        rows
    }
}

/// The name of what happens to a call.
fn name(doing: Doing) -> &'static str {
    DOINGS.iter().find(|row| row.0 == doing).map_or("", |row| row.1)
}
