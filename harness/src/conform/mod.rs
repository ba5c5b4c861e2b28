//! Any engine under test: spoken to over standard streams, held to the same invariants as ours.
//!
//! `PROTOCOL.md` says what is spoken. [`Remote`] is an engine behind processes that may hang, die,
//! flood or speak nonsense; an area that can be asked of it (see [`crate::area::Area::elsewhere`])
//! puts it where its own engine stands, and the campaign goes on as ever. [`needs`] says which
//! promises say nothing about an engine that lacks something; [`serve`] is our own side of it.

mod hello;
pub mod needs;
mod process;
mod remote;
pub mod scorecard;
pub mod serve;
pub mod wire;

pub use hello::{FEATURES, Feature, Hello, Numbers, OPERATIONS, Operation};
pub use process::end_all;
pub use remote::{Remote, Settings, StartError};

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;
