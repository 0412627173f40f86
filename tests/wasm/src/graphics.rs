//! A graphics device to test on.

use tuppum_engine::models::device::{Gpu, gpu};

/// The browser's graphics device. With `TUPPUM_NO_WEBGPU` set while compiling, a browser without WebGPU is accepted,
/// and said so; without it a missing adapter is a failure, so that no test passes by not running.
///
/// # Panics
/// There is no adapter, and none is not accepted.
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
