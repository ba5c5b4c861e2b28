//! Second opinions on messages, none of which shares code with the engine.

pub mod fences;
pub mod seam;
