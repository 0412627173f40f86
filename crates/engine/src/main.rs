//! The worker's program: starts the engine. Natively there is no worker, and nothing is started.

fn main() {
    #[cfg(target_family = "wasm")]
    tuppum_engine::worker::start();
}
