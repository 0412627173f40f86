//! The worker: starts the engine.

fn main() {}
