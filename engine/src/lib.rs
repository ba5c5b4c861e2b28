//! Repairs malformed tool calls where the repair can be proven, and refuses the rest.
