//! The seam through which a harness plants a bug in telemetry.

use super::rotate::{Rotation, rotate};
use super::stats::{self, Tally};
use super::{build, model};
use crate::{Pointer, Registry, Tool};

/// The steps of records. The default is the engine; anything else is a planted bug.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// Names the tool of a call; gets the name that was sent, and must not use it.
    pub name_registered: fn(Option<&Tool>, &str) -> String,
    /// Names the tool that a text names.
    pub name_tool: fn(&Registry, &str) -> String,
    /// Names a place.
    pub name_place: fn(&Tool, &Pointer) -> String,
    /// Names a model.
    pub name_model: fn(&str) -> String,
    /// Keeps an id.
    pub keep: fn(&str) -> String,
    /// The fingerprint of a refusal: whether its tool is known, the refusal's own, and the record's.
    pub fingerprint: fn(bool, u64, u64) -> u64,
    /// Keeps the beginning of a line from one piece of a log to the next.
    pub hold: bool,
    /// Looks for whole records in a line that is damaged.
    pub salvage: bool,
    /// Decides what of a file stays.
    pub rotate: fn(&[u8], Rotation) -> Option<usize>,
    /// Counts an outcome so many times.
    pub count: fn(&mut Tally, &str, u64),
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            name_registered: build::name_registered,
            name_tool: build::name_tool,
            name_place: build::name_place,
            name_model: model::model_name,
            keep: build::keep,
            fingerprint: build::fingerprint,
            hold: true,
            salvage: true,
            rotate,
            count: stats::count,
        }
    }
}
