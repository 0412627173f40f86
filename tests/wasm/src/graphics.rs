//! A graphics device for tests.

use tuppum_engine::models::device::{Gpu, gpu};

/// Returns the browser's graphics device. Without an adapter this fails, so that no test passes without running. If
/// `TUPPUM_NO_WEBGPU` was set at compile time, a browser without WebGPU is accepted with a message.
///
/// # Panics
/// There is no adapter, and that is not accepted.
pub async fn graphics() -> Option<Gpu> {
    match gpu(true).await {
        Ok(gpu) => Some(gpu),
        Err(reason) if option_env!("TUPPUM_NO_WEBGPU").is_some() => {
            web_sys::console::warn_1(&format!("NOT TESTED on WebGPU: {reason}").into());
            None
        }
        Err(reason) => panic!("no WebGPU to test on: {reason}; set TUPPUM_NO_WEBGPU to accept that"),
    }
}
