//! Attacks a repair engine: generators, malformations, oracles, invariants, planted bugs, and the
//! campaign that runs them; and scores an engine on real cases.

pub mod advice;
pub mod area;
pub mod arguments;
pub mod campaign;
pub mod catalog;
pub mod compare;
pub mod conform;
pub mod explain;
pub mod generate;
pub mod json;
pub mod leaks;
pub mod looks;
pub mod loops;
pub mod malform;
pub mod oracle;
pub mod page;
pub mod score;
pub mod session;
pub mod sim;
pub mod source;
pub mod subjects;
pub mod swarm;
pub mod target;
pub mod transcript;
