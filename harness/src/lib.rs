//! Attacks a repair engine: generators, malformations, oracles, invariants, planted bugs, and the
//! campaign that runs them; and scores an engine on real cases.

pub mod campaign;
pub mod case;
pub mod catalog;
pub mod compare;
pub mod explain;
pub mod generate;
pub mod invariants;
pub mod json;
pub mod looks;
pub mod malform;
pub mod mutants;
pub mod oracle;
pub mod run;
pub mod score;
pub mod source;
pub mod subjects;
