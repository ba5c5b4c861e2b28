//! Oracles: independent opinions on a call that share no code with the engine.

pub mod equal;
pub mod leaves;
pub mod reference;
pub mod second_validator;
