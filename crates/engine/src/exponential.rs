//! The exponential function in the browser. Every `f32::exp` of the engine, burn's included, is compiled to a call of
//! the C function `expf`; the definition here takes precedence over the one in Rust's library. It makes restoring an
//! eighth faster.

use tuppum_nn::exponential::exponential;

/// The function that the compiler calls for `f32::exp`.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "C" fn expf(x: f32) -> f32 {
    exponential(x)
}
