//! The worker: starts the engine.

fn main() {
    tuppum::engine::worker::start();
}
