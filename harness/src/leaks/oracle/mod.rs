//! Second opinions on messages, none of which shares code with the engine.

pub mod around;
pub mod fences;
pub mod seam;
