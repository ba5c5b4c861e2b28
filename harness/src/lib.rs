//! Attacks a repair engine.
