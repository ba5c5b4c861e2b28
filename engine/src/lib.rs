//! Repairs malformed tool calls where the repair can be proven, and refuses the rest.
//!
//! Configuration and input go in, an outcome comes out: no clock, environment, files, threads,
//! randomness or unsafe code. Start at [`Tool::compile`] and [`Tool::repair`]; a session with several
//! tools is a [`Registry`].
//!
//! What the engine may do stands in tables, one row and one file a thing: [`rules::RULES`],
//! [`preprocess::KINDS`], [`reader::LIBERTIES`], [`names::NAME_RULES`], [`REASONS`].

#![cfg_attr(
    not(test),
    warn(
        missing_docs,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::unreachable
    )
)]

mod acceptor;
pub mod advisor;
pub mod builtin;
mod change;
mod config;
mod context;
pub mod depth;
mod diff;
pub mod grammar;
pub mod host;
pub mod lifecycle;
mod limits;
pub mod names;
mod outcome;
mod pipeline;
mod plain;
mod pointer;
mod policy;
pub mod preprocess;
pub mod reader;
mod refusal;
mod registry;
pub mod rules;
mod schema;
mod selector;
pub mod settings;
mod sketch;
mod spelling;
#[doc(hidden)]
pub mod tables;
pub mod telemetry;
mod tool;

pub use change::{Change, Observation, ObservationKind, Operation, ReplayError, Stage, replay};
pub use config::{ConfigError, ToolConfig, ToolSpec};
pub use context::{Context, Gate, StopReason};
pub use limits::Limits;
pub use outcome::Outcome;
pub use pointer::Pointer;
pub use policy::{Grade, POLICIES, Policy, UnknownPolicy};
pub use refusal::{ISSUES_MAX, Issue, PREVIEW_CHARS_MAX, REASONS, Reason, Refusal};
pub use registry::{CallOutcome, Registry};
pub use selector::Selector;
pub use spelling::same_value;
pub use tool::{OwnerHook, ReadArguments, Tool};
