//! Records of what was done, as JSON Lines without any value; read again, rotated and counted.
//!
//! The engine builds, reads and counts records; whoever calls appends them, one write a line. A
//! record never holds an argument, a path, a command, a note or a key that the model made up. It
//! names a tool only if it is registered, a place only where the schema declares it, and a model
//! only in words of [`model_name`].

mod build;
mod day;
mod ident;
mod model;
mod parse;
mod record;
mod rotate;
mod stats;
#[doc(hidden)]
pub mod tables;
mod text;

pub use build::{Facts, LeakFacts, Recorder};
pub use day::{civil, day_named};
pub(crate) use ident::is_plain;
pub use model::model_name;
pub use parse::{LINE_MAX, LogReader, Skipped};
pub use record::{Channel, Record, VERSION};
pub use rotate::{Rotation, rotate};
pub use stats::{By, Stats, Tally};
pub use text::{Look, WIDTHS};

#[cfg(test)]
mod tests;
