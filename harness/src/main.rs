//! The `pi-repair` command.

fn main() {}
