//! What the tests of the engine in a browser share; they themselves lie in `tests/`.

#[cfg(target_family = "wasm")]
mod graphics;

#[cfg(target_family = "wasm")]
pub use graphics::graphics;
