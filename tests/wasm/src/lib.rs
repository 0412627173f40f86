//! Shared parts of the tests of the engine in a browser; the tests are in `tests/`.

#[cfg(target_family = "wasm")]
mod graphics;

#[cfg(target_family = "wasm")]
pub use graphics::graphics;
