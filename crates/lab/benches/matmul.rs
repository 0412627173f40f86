//! Speed of this machine at matrix products with the CPU's kernel: the yardstick beside which `cargo xtask bench`
//! prints its timings. Natively it measures flex as the command line uses it, in a browser as the engine's worker does.

use burn::tensor::{Device, Distribution, Tensor};
use std::hint::black_box;

/// Rows and columns: large enough that the kernel counts, small enough for a cache of a few megabytes.
const SIZE: usize = 512;

/// Multiplications in one measurement: about half a second at 20 GFLOP/s.
const TIMES: usize = 40;

/// Billions of operations a second; `now` counts milliseconds.
fn gigaflops(now: impl Fn() -> f64) -> f64 {
    let device = Device::flex();
    let matrix = || Tensor::<2>::random([SIZE, SIZE], Distribution::Uniform(-1.0, 1.0), &device);
    let (a, b) = (matrix(), matrix());
    black_box(a.clone().matmul(b.clone()).into_data());
    let start = now();
    for _ in 0..TIMES {
        black_box(a.clone().matmul(b.clone()));
    }
    let operations = 2.0 * (SIZE as f64).powi(3) * TIMES as f64;
    operations / (now() - start) / 1e6
}

#[cfg(not(target_family = "wasm"))]
fn main() {
    let start = std::time::Instant::now();
    println!("matmul {:.1} GFLOP/s", gigaflops(|| start.elapsed().as_secs_f64() * 1e3));
}

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(target_family = "wasm")]
mod in_the_browser {
    use wasm_bindgen::JsCast;
    use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    #[wasm_bindgen_test]
    fn matmul() {
        let scope: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
        let clock = scope.performance().expect("a worker has a clock");
        console_log!("matmul {:.1} GFLOP/s", super::gigaflops(|| clock.now()));
    }
}
